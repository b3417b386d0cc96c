package dev.recorder.app.cli;

import dev.recorder.app.cli.command.CommandGroup;
import dev.recorder.app.cli.output.Shown;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with arguments, and what may be meant or where it says how the command is
 * used. An argument may come from anywhere, so it is shown as text of others is.
 */
final class BadArguments implements IParameterExceptionHandler {
  /** What the JVM puts where bytes are no text in the character set of the locale. */
  private static final char LOST = '\ufffd';

  /**
   * Why nothing may be done with these arguments; empty if nothing speaks against it. Names that
   * have lost different characters are the same: two of them would be one lock, or one entity.
   */
  static String lostCharacters(String... args) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].indexOf(LOST) >= 0) {
        return "argument %d has bytes that are no text in the character set of the locale (%s), and would be taken for others: nothing was done; write it in UTF-8, and set LC_ALL=C.UTF-8"
            .formatted(i + 1, System.getProperty("sun.jnu.encoding", "unknown"));
      }
    }
    return "";
  }

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    String message = Shown.lines(String.valueOf(failure.getMessage()));
    err.println(command.getColorScheme().errorText(message));
    if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
      if (failure instanceof UnmatchedArgumentException
          && command.getCommand() instanceof CommandGroup group) {
        err.println("the command comes before its options: one of " + group.names());
      }
      err.println("see '%s --help'".formatted(command.getCommandSpec().qualifiedName()));
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
