package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The group of the commands on locks. */
@Command(
    name = "lock",
    description = "Run commands under locks, show locks and their holders, release locks.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LockRunCommand.class,
      LockListCommand.class,
      LockShowCommand.class,
      LockReleaseCommand.class
    })
public final class LockCommand extends CommandGroup {}
