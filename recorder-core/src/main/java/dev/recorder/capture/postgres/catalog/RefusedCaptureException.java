package dev.recorder.capture.postgres.catalog;

import java.io.Serial;

/** A capture was refused. The message is one sentence without its full stop. */
public final class RefusedCaptureException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public RefusedCaptureException(String message) {
    super(message, null, false, false);
  }
}
