package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The group of the commands on locks. */
@Command(
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LockRunCommand.class,
      LockListCommand.class,
      LockShowCommand.class,
      LockReleaseCommand.class
    })
public final class LockCommand extends CommandGroup {}
