package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.RecorderConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which configuration file a command uses. */
final class ConfigOption {
  private static final String VARIABLE = "RECORDER_CONFIG";
  private static final Path USUAL = Path.of("/etc/recorder/recorder.ini");

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Configuration file; else $RECORDER_CONFIG, else /etc/recorder/recorder.ini.")
  private @Nullable Path file;

  RecorderConfig load() throws ConfigException {
    return ConfigFile.load(path());
  }

  /** For commands about locks and tasks, which need no recorder. */
  LockConfig loadForLocks() throws ConfigException {
    return ConfigFile.loadForLocks(path());
  }

  Path path() {
    String fromEnvironment = System.getenv(VARIABLE);
    if (file != null) {
      return file;
    }
    return fromEnvironment == null || fromEnvironment.isBlank() ? USUAL : Path.of(fromEnvironment);
  }
}
