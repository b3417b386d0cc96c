package dev.recorder.app.guard;

import java.io.Serial;

/** The host cannot guarantee that a command does not outlive its lock. */
public final class UnguardedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  UnguardedException(String message) {
    super(message);
  }

  UnguardedException(String message, Exception cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
