package dev.recorder.requests.document;

/** A text is not JSON, or is JSON that could not be written back unchanged. */
final class BadJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  BadJsonException(String what) {
    super(what);
  }
}
