package dev.recorder.app.cli.requests;

import dev.recorder.app.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The group of the commands on requests. */
@Command(
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RequestsAddCommand.class,
      RequestsListCommand.class,
      RequestsShowCommand.class,
      RequestsRetryCommand.class,
      RequestsCancelCommand.class
    })
public final class RequestsCommand extends CommandGroup {}
