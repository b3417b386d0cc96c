package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Paused;
import dev.recorder.operate.Pauses;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends a pause, whoever began it. */
@Command(
    name = "resume",
    description = "Have a paused recorder go on now.",
    mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Parameters(paramLabel = "NAME", description = "The recorder.")
  private String name;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load();
    CommandResources.section(loaded, name);
    try (CommandResources site = CommandResources.open(loaded)) {
      Pauses pauses = site.database().pauses();
      RecorderName recorder = new RecorderName(name);
      PausedSite.require(site, recorder);
      @Nullable Paused before = pauses.of(recorder).orElse(null);
      boolean done = pauses.resume(recorder, PausedSite.osUser());
      new PauseReport(spec, output).resumed(name, done ? before : null, done);
    }
    return ExitCode.OK;
  }
}
