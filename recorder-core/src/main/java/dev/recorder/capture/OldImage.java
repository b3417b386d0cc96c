package dev.recorder.capture;

import java.util.Locale;

/** What a captured update or delete says of the old row. */
public enum OldImage {
  /** Nothing but its key. */
  NONE,
  /** The columns of its key. */
  KEY,
  /** Of an update the old values of the columns that changed, of a delete the key's columns. */
  CHANGED,
  /** All of it. */
  ALL;

  /** As it is written by users. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
