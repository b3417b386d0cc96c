package dev.recorder.requests.document;

/** A text that is no JSON, or JSON that could not be written again as it is. */
final class BadJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  BadJsonException(String what) {
    super(what);
  }
}
