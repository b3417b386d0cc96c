package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CallingUser;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.DurationConverter;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.operate.orders.PauseOrder;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.orders.Pauses;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Pauses a recorder on all hosts, for a limited time. */
@Command(
    description = {
      "Work in progress is finished; rows and requests wait. A second pause can only be"
          + " longer;",
      "'recorder resume' ends the pause."
    },
    mixinStandardHelpOptions = true)
public final class PauseCommand extends PrintingCommand {
  @Mixin private RecorderOption recorder;
  @Mixin private OutputOption output;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "The reason, in one line, shown by 'recorder status'.")
  private String reason = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      required = true,
      converter = DurationConverter.class,
      description = "How long, such as 90s, 15m, 2h or 7d; 7 days at most.")
  private Duration lasts = Duration.ZERO;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    PauseOrder order = order();
    SelectedRecorder chosen = recorder.load();
    String name = chosen.name();
    try (CommandResources site = chosen.openAfterRun()) {
      Pauses pauses = site.database().pauses();
      @Nullable PausedRecorder before = pauses.of(chosen.recorder()).orElse(null);
      boolean done = pauses.pause(chosen.recorder(), order);
      Optional<PausedRecorder> now = pauses.of(chosen.recorder());
      if (!done) {
        throw CommandFailure.tryLater(
            "recorder %s is %s; a pause is made longer, never shorter: 'recorder resume %s' ends it"
                .formatted(
                    name,
                    now.map(PausedRecorder::toString).orElse("no longer paused, but was"),
                    name));
      }
      new PauseReport(output)
          .paused(name, before, now.orElse(null), PauseConsequence.of(site, name));
    }
    return ExitCode.OK;
  }

  private PauseOrder order() {
    if (lasts.compareTo(PauseOrder.SHORTEST) < 0 || lasts.compareTo(PauseOrder.LONGEST) > 0) {
      throw misuse(
          "--for must be from %d s to %d days"
              .formatted(PauseOrder.SHORTEST.toSeconds(), PauseOrder.LONGEST.toDays()));
    }
    try {
      return new PauseOrder(lasts, reason, CallingUser.stated());
    } catch (IllegalArgumentException wrong) {
      throw misuse("--reason: " + wrong.getMessage());
    }
  }
}
