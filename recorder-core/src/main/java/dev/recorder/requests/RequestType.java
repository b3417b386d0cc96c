package dev.recorder.requests;

import java.util.Locale;

/** What a request asks for; the column {@code request_type}. */
public enum RequestType {
  CREATE,
  UPDATE;

  /** As in the table. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads what {@link #word()} gives. */
  public static RequestType of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
