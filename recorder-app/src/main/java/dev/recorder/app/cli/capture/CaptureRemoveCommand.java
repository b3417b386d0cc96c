package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Ends the capture of a table. */
@Command(
    name = "remove",
    description = {
      "End the capture of a table; the log keeps its rows.",
      "Needs the rights of the table's owner; --print prints the SQL for the owner."
    },
    mixinStandardHelpOptions = true)
final class CaptureRemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CaptureTarget target;
  @Mixin private OutputOption output;

  @Option(names = "--print", description = "Print the SQL for psql, and change nothing.")
  private boolean print;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (print) {
      String script = target.ask(c -> c.removal(target.recorder(), target.table()));
      out.print(script);
      out.flush();
      return ExitCode.OK;
    }
    String table = target.ask(c -> c.remove(target.recorder(), target.table()));
    if (output.isJson()) {
      OutputOption.printJson(
          out, new JsonObject().with("recorder", target.recorder().value()).with("table", table));
    } else {
      out.println("recorder " + target.recorder() + " captures " + table + " no longer");
    }
    return ExitCode.OK;
  }
}
