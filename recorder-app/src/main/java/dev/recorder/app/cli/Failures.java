package dev.recorder.app.cli;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.config.ConfigException;
import dev.recorder.lock.LockException;
import dev.recorder.machine.MachineFailedException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.reader.LogReadException;
import dev.recorder.replay.ReplayException;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns the failure of a command into one message and an exit code. Only {@code --verbose} shows a
 * stack trace.
 */
final class Failures implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, ParseResult parseResult) {
    PrintWriter err = commandLine.getErr();
    String message = EscapedText.lines(message(failure));
    boolean daemon = commandLine.getCommandSpec().userObject() instanceof RunCommand;
    List<String> lines = new ArrayList<>();
    if (!daemon || message.contains("\n")) {
      lines.add(message);
    }
    Object root = commandLine.getCommandSpec().root().userObject();
    if (root instanceof RecorderCommand command && command.isVerbose()) {
      lines.add(trace(failure).stripTrailing());
    } else if (isUnexpected(failure)) {
      lines.add("recorder: this is a defect of the program; --verbose shows where it happened");
    }
    if (daemon) {
      lines.add(lastWord(message, exitCode(failure)));
    }
    // Printed in one call, so that the last line stays the last one while another thread ends the
    // process.
    err.println(String.join(System.lineSeparator(), lines));
    err.flush();
    return exitCode(failure);
  }

  /** Returns the last line of the output, which a service manager shows. */
  private static String lastWord(String message, int exitCode) {
    String why = message.lines().findFirst().orElse("").replaceFirst("^recorder: ", "");
    String more = message.contains("\n") ? " (the whole message is above)" : "";
    return "recorder: run has ended with exit code " + exitCode + ": " + why + more;
  }

  private static String message(Exception failure) {
    if (failure instanceof ConfigException) {
      return String.valueOf(failure.getMessage()); // Each line begins with the file.
    }
    return "recorder: " + (isUnexpected(failure) ? failure : failure.getMessage());
  }

  private static boolean isUnexpected(Exception failure) {
    return expected(failure).isEmpty();
  }

  private static int exitCode(Exception failure) {
    return expected(failure)
        .orElse(failure instanceof MachineFailedException ? ExitCode.FAILED : ExitCode.FAULTS);
  }

  /** Returns the exit code of a failure that users may cause; empty for a bug. */
  private static OptionalInt expected(Exception failure) {
    if (failure instanceof ConfigException) {
      return OptionalInt.of(ExitCode.CONFIGURATION);
    } else if (failure instanceof DatabaseException database) {
      return OptionalInt.of(ExitCode.of(database));
    } else if (failure instanceof LockException lock) {
      return OptionalInt.of(ExitCode.of(lock));
    } else if (failure instanceof LogReadException read) {
      return OptionalInt.of(ExitCode.of(read));
    } else if (failure instanceof ReplayException replay) {
      return OptionalInt.of(ExitCode.of(replay));
    } else if (failure instanceof UnreadableSlotException slot) {
      return OptionalInt.of(ExitCode.of(slot));
    } else if (failure instanceof CommandFailure command) {
      return OptionalInt.of(command.exitCode());
    }
    return OptionalInt.empty();
  }

  private static String trace(Throwable failure) {
    StringWriter trace = new StringWriter();
    PrintWriter lines = new PrintWriter(trace);
    for (Throwable each = failure; each != null; each = each.getCause()) {
      lines.println(each == failure ? each : "Caused by: " + each);
      Arrays.stream(each.getStackTrace()).forEach(frame -> lines.println("\tat " + frame));
    }
    return trace.toString();
  }
}
