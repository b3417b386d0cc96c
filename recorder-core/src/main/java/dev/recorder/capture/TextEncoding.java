package dev.recorder.capture;

import java.util.Locale;

/**
 * Turns a value of some type into text without running users' code, such as a cast to text made by
 * the type's owner.
 *
 * @param pattern pattern for {@link String#format}: turns SQL of a value into SQL of its text
 */
public record TextEncoding(String pattern) {
  /** The encoding for the server's own types. */
  public static final TextEncoding CAST = new TextEncoding("(%1$s)::text");

  /** Returns the SQL expression of a value's text. */
  public String of(String value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
