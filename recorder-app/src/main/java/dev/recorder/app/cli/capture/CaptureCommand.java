package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The group of the commands on captured tables. */
@Command(
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CaptureAddCommand.class,
      CaptureListCommand.class,
      CaptureCheckCommand.class,
      CaptureSnapshotCommand.class,
      CaptureRemoveCommand.class
    })
public final class CaptureCommand extends CommandGroup {}
