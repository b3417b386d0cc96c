package dev.recorder.app.cli;

import dev.recorder.app.cli.command.CommandGroup;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.TerminalLine;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports wrong arguments, with a suggestion or a pointer to the help. Escapes control characters
 * in the arguments, whose origin is unknown.
 */
final class BadArguments implements IParameterExceptionHandler {
  /** The JVM's replacement for bytes that are not text in the locale's character set. */
  private static final char LOST = '\ufffd';

  /**
   * Returns why these arguments must not be used; empty if they may be. Bytes that are not text are
   * lost. Two names that differ only in lost bytes would therefore be taken for one lock or entity.
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
    String message = EscapedText.lines(String.valueOf(failure.getMessage()));
    // The colour scheme knows only whether standard output is a terminal, not standard error.
    boolean coloured = Boolean.getBoolean(TerminalLine.TERMINAL);
    err.println(coloured ? command.getColorScheme().errorText(message).toString() : message);
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
