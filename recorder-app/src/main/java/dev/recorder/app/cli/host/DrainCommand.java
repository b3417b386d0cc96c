package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.operate.diagnosis.DrainProgress;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Moves all logs off a host, so that the host can be restarted without a gap in the recording. */
@Command(
    description = {
      "It keeps logs that no other host is able to take; the exit code is then 75. It stays",
      "drained until 'recorder undrain', or until its process is restarted."
    },
    mixinStandardHelpOptions = true)
public final class DrainCommand extends PrintingCommand {
  private static final Duration POLL = Duration.ofMillis(100);

  @Mixin private HostOption host;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    try (CommandResources site = host.open(patience)) {
      OrderFailures.given( // Fails before the order if the progress cannot be read.
          "nothing was asked of host " + host.name(), () -> look(site, List.of()));
      HostAnswer answer =
          AwaitedOrder.ask(site.database(), host.name(), OrderKind.DRAIN, "", patience);
      DrainProgress progress = awaitTaken(site, answer.active(), patience);
      report(answer.active(), progress);
      return progress.isEmpty() ? ExitCode.OK : ExitCode.TRY_LATER;
    }
  }

  /**
   * Waits until other hosts have taken the logs. A failure from here on says that the host is
   * drained.
   */
  private DrainProgress awaitTaken(CommandResources site, List<String> had, Duration patience)
      throws CommandFailure, InterruptedException {
    try {
      return await(site, had, patience);
    } catch (DatabaseException e) {
      throw new CommandFailure(
          ExitCode.of(e),
          "host %s is drained and hands over what it has%s, but its progress cannot be determined: %s; 'recorder status' shows it once that is over, and 'recorder undrain %s' ends it"
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
    List<String> gone =
        had.stream()
            .filter(name -> !left.moving().contains(name) && !left.kept().contains(name))
            .toList();
    List<String> sentences = new ArrayList<>();
    gone.forEach(name -> sentences.add("recorder " + name + ": handed over"));
    left.moving().forEach(name -> sentences.add("recorder " + name + ": still on its way"));
    left.kept()
        .forEach(
            name ->
                sentences.add(
                    "recorder %s: kept, as no other host is able to take it; 'recorder status' says why"
                        .formatted(name)));
    sentences.add(
        "%s %s, and takes no other: 'recorder undrain %s' ends that, and a restart of its process"
            .formatted(
                host.name(),
                left.isEmpty() ? "has no log left" : "is drained as far as that goes",
                host.name()));
    output.print(
        new JsonObject()
            .with("machine", host.name())
            .with("drained", true)
            .with("handed_over", gone)
            .with("moving", left.moving())
            .with("kept", left.kept()),
        sentences);
  }
}
