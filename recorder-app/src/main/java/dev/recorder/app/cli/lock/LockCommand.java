package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** Holds the commands about locks between processes. */
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
