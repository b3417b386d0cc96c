package dev.recorder.app.cli.tasks;

import dev.recorder.app.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The group of the commands on tasks, which need no recorder. */
@Command(
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      TasksAddCommand.class,
      TasksCaptureCommand.class,
      TasksSetCommand.class,
      TasksListCommand.class
    })
public final class TasksCommand extends CommandGroup {}
