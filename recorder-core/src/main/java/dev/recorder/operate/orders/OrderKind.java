package dev.recorder.operate.orders;

import java.util.Locale;

/** What an operator may order of a machine; the words are in the database. */
public enum OrderKind {
  /** Read the configuration file again, which the order names. */
  RELOAD,
  /** Compare that file with what the machine does, and change nothing. */
  COMPARE,
  /** Hand over everything that others can take, and accept nothing new. */
  DRAIN,
  /** Accept recorders again. */
  UNDRAIN,
  /** Check again whether the machine could take a recorder. */
  REHEARSE;

  /** As the database has it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static OrderKind named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
