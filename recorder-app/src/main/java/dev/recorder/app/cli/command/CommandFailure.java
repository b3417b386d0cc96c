package dev.recorder.app.cli.command;

import java.io.Serial;

/** A command cannot do what was asked: a sentence for the user, and the exit code. */
public final class CommandFailure extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final int exitCode;

  public CommandFailure(int exitCode, String message) {
    super(message, null, false, false);
    this.exitCode = exitCode;
  }

  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /** Nothing was done, and nothing will be. */
  public static CommandFailure refused(String message) {
    return new CommandFailure(ExitCode.REFUSED, message);
  }

  public static CommandFailure tryLater(String message) {
    return new CommandFailure(ExitCode.TRY_LATER, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
