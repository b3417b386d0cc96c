package dev.recorder.app.cli.command;

import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only groups other commands. */
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: one of " + names());
  }

  /** Returns the names of the commands in the group, in the order of the help. */
  public final String names() {
    return spec.subcommands().values().stream()
        .filter(command -> !command.getCommandSpec().usageMessage().hidden())
        .map(CommandLine::getCommandName)
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
