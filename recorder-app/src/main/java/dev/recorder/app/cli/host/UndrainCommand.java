package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.operate.orders.OrderKind;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Has a machine that was drained take again what comes to it. */
@Command(
    name = "undrain",
    description = "Let a drained host take recorders again.",
    mixinStandardHelpOptions = true)
public final class UndrainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HostOption host;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    try (CommandResources site = host.open(patience)) {
      HostCall.ask(site.database(), host.name(), OrderKind.UNDRAIN, "", patience);
    }
    if (output.isJson()) {
      OutputOption.printJson(
          spec.commandLine().getOut(),
          new JsonObject().with("machine", host.name()).with("drained", false));
    } else {
      spec.commandLine()
          .getOut()
          .println(
              host.name()
                  + " accepts recorders again; those it is the primary of come back after"
                  + " failback_after, with failback = auto");
    }
    return ExitCode.OK;
  }
}
