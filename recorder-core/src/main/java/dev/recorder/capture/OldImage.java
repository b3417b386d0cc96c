package dev.recorder.capture;

import java.util.Locale;

/** The part of the old row that a captured update or delete contains. */
public enum OldImage {
  /** Only the key. */
  NONE,
  /** The columns of the key. */
  KEY,
  /** Old values of the changed columns for an update; the key's columns for a delete. */
  CHANGED,
  /** All columns. */
  ALL;

  /** Returns the word for it in options and files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
