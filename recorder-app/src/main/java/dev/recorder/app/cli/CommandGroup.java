package dev.recorder.app.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing but hold others. */
abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    List<String> names =
        spec.subcommands().values().stream()
            .filter(command -> !command.getCommandSpec().usageMessage().hidden())
            .map(CommandLine::getCommandName)
            .distinct()
            .toList();
    throw new ParameterException(
        spec.commandLine(), "Missing command: one of " + String.join(", ", names));
  }
}
