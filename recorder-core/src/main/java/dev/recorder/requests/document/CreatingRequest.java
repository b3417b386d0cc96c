package dev.recorder.requests.document;

import dev.recorder.requests.Request;

/**
 * The request that created a document, as later versions name it.
 *
 * @param digest as {@link Request#digest}: the same id may meanwhile be another request's
 */
public record CreatingRequest(long id, long digest) {
  static final int RADIX = 36;

  static CreatingRequest of(Request create) {
    return new CreatingRequest(create.id(), create.digest());
  }

  /** The text for {@link #parse}. */
  String text() {
    return id + "." + Long.toUnsignedString(digest, RADIX);
  }

  /**
   * The inverse of {@link #text}.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  static CreatingRequest parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException("no digest: " + text);
    }
    return new CreatingRequest(
        Long.parseLong(text.substring(0, dot)),
        Long.parseUnsignedLong(text.substring(dot + 1), RADIX));
  }
}
