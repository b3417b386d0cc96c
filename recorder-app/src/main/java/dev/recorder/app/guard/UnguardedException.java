package dev.recorder.app.guard;

import java.io.Serial;

/** This host lacks what keeps a command from outliving its lock, or refuses it. */
public final class UnguardedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  UnguardedException(String message) {
    super(message);
  }

  UnguardedException(String message, Exception cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
