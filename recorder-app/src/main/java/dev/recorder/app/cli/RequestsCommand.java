package dev.recorder.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Holds the commands about the requests of a recorder with {@code kind = requests}. */
@Command(
    name = "requests",
    description = "Hand over requests, list them, retry failed ones, cancel.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RequestsAddCommand.class,
      RequestsListCommand.class,
      RequestsShowCommand.class,
      RequestsRetryCommand.class,
      RequestsCancelCommand.class
    })
final class RequestsCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
