package dev.recorder.requests;

import java.util.Locale;

/** The kind of a request; the column {@code request_type}. */
public enum RequestType {
  CREATE,
  UPDATE;

  /** The word in the table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The inverse of {@link #word()}. */
  public static RequestType of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
