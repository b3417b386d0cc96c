package dev.recorder.requests.document;

import dev.recorder.requests.Request;

/**
 * The request that created a document, as later versions name it.
 *
 * @param digest as {@link Request#digest}, since another request may have the same id
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
   * @throws IllegalArgumentException if the text is not one of {@link #text}
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
