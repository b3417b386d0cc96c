package dev.recorder.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about locks between processes. */
@Command(
    name = "lock",
    description = "Run commands under locks, see who has which, take locks away.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LockRunCommand.class,
      LockListCommand.class,
      LockShowCommand.class,
      LockReleaseCommand.class
    })
final class LockCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
