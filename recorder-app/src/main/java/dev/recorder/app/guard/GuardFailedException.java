package dev.recorder.app.guard;

import java.io.Serial;

/** Says that this host cannot guarantee that a command does not outlive its lock. */
public final class GuardFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  GuardFailedException(String message) {
    super(message);
  }

  GuardFailedException(String message, Exception cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
