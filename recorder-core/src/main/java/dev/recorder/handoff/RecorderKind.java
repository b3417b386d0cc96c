package dev.recorder.handoff;

import java.util.Locale;

/** What a recorder makes of its hand-off table. */
public enum RecorderKind {
  /** One log of slots, written by one active machine. */
  LOG,
  /** One object per entity, worked on by all machines. */
  REQUESTS;

  /** As in the database. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
