package dev.recorder.app.cli.command;

import java.io.Serial;

/** Says that a command cannot do its task, with a sentence for the user and the exit code. */
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

  /** Returns a failure for an order that was refused: it had no effect, and will have none. */
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
