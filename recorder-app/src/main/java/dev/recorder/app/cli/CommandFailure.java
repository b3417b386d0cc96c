package dev.recorder.app.cli;

import java.io.Serial;

/** A command cannot do what was asked: a sentence for its user, and the exit code. */
final class CommandFailure extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
