package dev.recorder.app.cli.host;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --wait}. */
final class WaitOption {
  private static final Duration LONGEST = Duration.ofHours(1);

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description =
          "Seconds to wait for the answer, and again for its effects; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  Duration patience() {
    if (seconds < 1 || seconds > LONGEST.toSeconds()) {
      throw new ParameterException(
          command.commandLine(), "--wait must be from 1 to " + LONGEST.toSeconds());
    }
    return Duration.ofSeconds(seconds);
  }
}
