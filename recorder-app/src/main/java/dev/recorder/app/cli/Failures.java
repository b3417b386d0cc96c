package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.postgres.DatabaseException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Turns what a command throws into one message and an exit code; never a stack trace. */
final class Failures implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parseResult) {
    PrintWriter err = commandLine.getErr();
    if (failure instanceof ConfigException config) {
      err.println(config.getMessage());
      return ExitCode.CONFIGURATION;
    } else if (failure instanceof DatabaseException database) {
      err.println("recorder: " + database.getMessage());
      return ExitCode.of(database);
    }
    err.println("recorder: " + failure + "");
    return ExitCode.FAULTS;
  }
}
