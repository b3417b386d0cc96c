package dev.recorder.capture.postgres.catalog;

import java.io.Serial;

/** What was asked cannot be captured so; its message is a sentence without its end. */
public final class RefusedCaptureException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public RefusedCaptureException(String message) {
    super(message, null, false, false);
  }
}
