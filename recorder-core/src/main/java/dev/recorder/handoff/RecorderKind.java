package dev.recorder.handoff;

import java.util.Locale;

/** The kind of a recorder, by the use of its hand-off table. */
public enum RecorderKind {
  /** One log of slots, written by one active host. */
  LOG,
  /** Requests for entities, processed by all hosts. */
  REQUESTS;

  /** Returns the kind's name in the database. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
