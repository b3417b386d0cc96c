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

  static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /** Nothing was done, and nothing is going to be. */
  static CommandFailure refused(String message) {
    return new CommandFailure(ExitCode.REFUSED, message);
  }

  static CommandFailure tryLater(String message) {
    return new CommandFailure(ExitCode.TRY_LATER, message);
  }

  int exitCode() {
    return exitCode;
  }
}
