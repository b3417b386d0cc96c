package dev.recorder.capture;

import java.util.Locale;

/**
 * How a value of some type becomes text by nothing that others have made: whoever owns a type may
 * have made a cast of it.
 *
 * @param pattern of {@link String#format}: SQL of a value becomes SQL of its text
 */
public record TextEncoding(String pattern) {
  /** Of types of the server. */
  public static final TextEncoding CAST = new TextEncoding("(%1$s)::text");

  /** The expression of a value's text. */
  public String of(String value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
