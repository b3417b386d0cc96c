package dev.recorder.app.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with arguments, and what may be meant or how the command is used. An argument
 * may come from anywhere, so it is shown as text of others is.
 */
final class BadArguments implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    String message = Shown.lines(String.valueOf(failure.getMessage()));
    err.println(command.getColorScheme().errorText(message));
    if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
      command.usage(err, command.getColorScheme());
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
