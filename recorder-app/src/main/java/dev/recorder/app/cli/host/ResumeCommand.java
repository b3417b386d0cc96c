package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CallingUser;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.orders.Pauses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends the pause of a recorder. */
@Command(mixinStandardHelpOptions = true)
public final class ResumeCommand extends PrintingCommand {
  @Mixin private RecorderOption recorder;
  @Mixin private OutputOption output;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    SelectedRecorder chosen = recorder.load();
    try (CommandResources site = chosen.openAfterRun()) {
      Pauses pauses = site.database().pauses();
      @Nullable PausedRecorder before = pauses.of(chosen.recorder()).orElse(null);
      boolean done = pauses.resume(chosen.recorder(), CallingUser.stated());
      new PauseReport(output)
          .resumed(
              chosen.name(), done ? before : null, done, PauseConsequence.of(site, chosen.name()));
    }
    return ExitCode.OK;
  }
}
