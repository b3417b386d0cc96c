package dev.recorder.requests.document;

/** A text that is not JSON, or JSON that could not be written unchanged. */
final class BadJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  BadJsonException(String what) {
    super(what);
  }
}
