package dev.recorder.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about tasks, which need no recorder. */
@Command(
    name = "tasks",
    description = "Work on tasks, each with one owner at a time: add, capture, set, list.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TasksAddCommand.class,
      TasksCaptureCommand.class,
      TasksSetCommand.class,
      TasksListCommand.class
    })
final class TasksCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
