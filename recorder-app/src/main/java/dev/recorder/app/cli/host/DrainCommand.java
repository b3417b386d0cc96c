package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.operate.diagnosis.DrainProgress;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Empties a machine, so that it can be restarted without anybody noticing. */
@Command(
    name = "drain",
    description = {
      "Have a machine hand over all its logs, as for a reboot, and take no other.",
      "It keeps what no other machine is able to take: then the exit code is 75. It stays drained",
      "until 'recorder undrain', or until its process is restarted."
    },
    mixinStandardHelpOptions = true)
public final class DrainCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(100);

  @Spec private CommandSpec spec;
  @Mixin private HostOption host;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    try (CommandResources site = host.open(patience)) {
      OrderTrouble.given( // What could not be followed is not begun.
          "nothing was asked of machine " + host.name(), () -> look(site, List.of()));
      HostAnswer answer = HostCall.ask(site.database(), host.name(), OrderKind.DRAIN, "", patience);
      DrainProgress progress = awaitTaken(site, answer.active(), patience);
      report(answer.active(), progress);
      return progress.isEmpty() ? ExitCode.OK : ExitCode.TRY_LATER;
    }
  }

  /** Whoever stops looking must not believe that nothing was done. */
  private DrainProgress awaitTaken(CommandResources site, List<String> had, Duration patience)
      throws CommandFailure, InterruptedException {
    try {
      return await(site, had, patience);
    } catch (DatabaseException e) {
      throw new CommandFailure(
          ExitCode.of(e),
          "machine %s is drained and hands over what it has%s, but its progress cannot be determined: %s; 'recorder status' shows it once that is over, and 'recorder undrain %s' ends it"
              .formatted(
                  host.name(),
                  had.isEmpty() ? "" : " (" + String.join(", ", had) + ")",
                  e.getMessage(),
                  host.name()));
    }
  }

  private DrainProgress await(CommandResources site, List<String> had, Duration patience)
      throws InterruptedException {
    Ticker ticker = Ticker.system();
    long deadline = ticker.nanos() + patience.toNanos();
    DrainProgress progress = look(site, had);
    while (!progress.isOver() && ticker.nanos() - deadline < 0) {
      Pause.sleep(POLL);
      progress = look(site, had);
    }
    return progress;
  }

  private DrainProgress look(CommandResources site, List<String> had) {
    return DrainProgress.of(site.diagnosis(HostOption.FRESH, 0), host.name(), had);
  }

  private void report(List<String> had, DrainProgress left) {
    PrintWriter out = spec.commandLine().getOut();
    List<String> gone =
        had.stream()
            .filter(name -> !left.moving().contains(name) && !left.kept().contains(name))
            .toList();
    if (output.isJson()) {
      OutputOption.printJson(
          out,
          new JsonObject()
              .with("machine", host.name())
              .with("drained", true)
              .with("handed_over", gone)
              .with("moving", left.moving())
              .with("kept", left.kept()));
      return;
    }
    gone.forEach(name -> out.println("recorder " + name + ": handed over"));
    left.moving().forEach(name -> out.println("recorder " + name + ": still on its way"));
    left.kept()
        .forEach(
            name ->
                out.println(
                    "recorder %s: kept, as no other machine is able to take it; 'recorder status' says why"
                        .formatted(name)));
    out.println(
        "%s %s, and takes no other: 'recorder undrain %s' ends that, and a restart of its process"
            .formatted(
                host.name(),
                left.isEmpty() ? "has no log left" : "is drained as far as that goes",
                host.name()));
  }
}
