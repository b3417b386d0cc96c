package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ends the capture of a table. */
@Command(
    name = "remove",
    description = {
      "End the capture of a table; the log keeps its rows.",
      "Needs the rights of the table's owner; --print prints the SQL for the owner."
    },
    mixinStandardHelpOptions = true)
final class CaptureRemoveCommand extends PrintingCommand {
  @Mixin private CaptureTarget target;
  @Mixin private OutputOption output;

  @Option(names = "--print", description = "Print the SQL for psql, and change nothing.")
  private boolean print;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    if (print) {
      String script = target.ask(c -> c.removal(target.recorder(), target.table()));
      out().print(script);
      out().flush();
      return ExitCode.OK;
    }
    String table = target.ask(c -> c.remove(target.recorder(), target.table()));
    output.print(
        new JsonObject().with("recorder", target.recorder().value()).with("table", table),
        "recorder " + target.recorder() + " captures " + table + " no longer");
    return ExitCode.OK;
  }
}
