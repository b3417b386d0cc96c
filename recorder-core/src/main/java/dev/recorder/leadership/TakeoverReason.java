package dev.recorder.leadership;

import java.util.Locale;

/** Why a host became active, as written into {@code takeovers}. */
public enum TakeoverReason {
  /** The recorder never had an active host. */
  START,
  /** The predecessor released the recorder, in a clean stop. */
  RELEASED,
  /** The predecessor's database session ended: its process died or lost its connection. */
  DIED,
  /** The predecessor hung or was cut off. It was silent and was evicted. */
  SILENT,
  /** The predecessor released a recorder that made no progress. */
  STUCK,
  /** An operator moved the recorder. */
  SWITCHOVER,
  /** The recorder returned to its primary. */
  FAILBACK;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
