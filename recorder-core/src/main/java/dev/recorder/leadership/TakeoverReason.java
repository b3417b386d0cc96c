package dev.recorder.leadership;

import java.util.Locale;

/** Why a machine became active; as written into {@code takeovers}. */
public enum TakeoverReason {
  /** The recorder never had an active machine. */
  START,
  /** The predecessor let go: a clean stop. */
  RELEASED,
  /** The predecessor's database session ended: its process died or lost its connection. */
  DIED,
  /** The predecessor hung or was cut off: it went silent and was evicted. */
  SILENT,
  /** The predecessor's own watchdog let go of a recorder that made no progress. */
  STUCK,
  /** An operator moved the recorder. */
  SWITCHOVER,
  /** The recorder went back to its primary. */
  FAILBACK;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
