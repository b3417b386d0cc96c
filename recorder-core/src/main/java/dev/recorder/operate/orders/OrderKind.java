package dev.recorder.operate.orders;

import java.util.Locale;

/** The kinds of orders to a host; the words are in the database. */
public enum OrderKind {
  /** Read the configuration file named in the order again. */
  RELOAD,
  /** Compare that file with the running configuration, and change nothing. */
  COMPARE,
  /** Hand over all recorders that other hosts can take, and accept none. */
  DRAIN,
  /** Accept recorders again. */
  UNDRAIN,
  /** Check again whether the host could take a recorder. */
  REHEARSE;

  /** The word in the database. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static OrderKind named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
