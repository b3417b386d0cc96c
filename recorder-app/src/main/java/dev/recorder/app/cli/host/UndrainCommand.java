package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.operate.orders.OrderKind;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a drained host take recorders again. */
@Command(mixinStandardHelpOptions = true)
public final class UndrainCommand extends PrintingCommand {
  @Mixin private HostOption host;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    try (CommandResources site = host.open(patience)) {
      AwaitedOrder.ask(site.database(), host.name(), OrderKind.UNDRAIN, "", patience);
    }
    output.print(
        new JsonObject().with("machine", host.name()).with("drained", false),
        host.name()
            + " accepts recorders again; those it is the primary of come back after"
            + " failback_after, with failback = auto");
    return ExitCode.OK;
  }
}
