package dev.recorder.app.cli.command;

import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.PartialConfig;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.ini.Finding;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option {@code -c}. */
public final class ConfigOption {
  private static final String VARIABLE = "RECORDER_CONFIG";
  private static final Path USUAL = Path.of("/etc/recorder/recorder.ini");

  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Configuration file; else $RECORDER_CONFIG, else /etc/recorder/recorder.ini.")
  private @Nullable Path file;

  public RecorderConfig load() throws ConfigException {
    return ConfigFile.load(path());
  }

  /** Reads the file. Faults in sections that the command does not need are warnings. */
  public RecorderConfig load(RequiredSections needed) throws ConfigException {
    return warned(ConfigFile.load(path(), needed));
  }

  /** Reads the file for commands on locks and tasks, which need no recorder. */
  public LockConfig loadForLocks(RequiredSections needed) throws ConfigException {
    return warned(ConfigFile.loadForLocks(path(), needed));
  }

  private <T> T warned(PartialConfig<T> loaded) {
    PrintWriter err = command.root().commandLine().getErr();
    for (Finding finding : loaded.setAside()) {
      err.println(EscapedText.of("recorder: warning, this command goes without it: " + finding));
    }
    err.flush();
    return loaded.config();
  }

  public Path path() {
    String fromEnvironment = System.getenv(VARIABLE);
    if (file != null) {
      return file;
    }
    return fromEnvironment == null || fromEnvironment.isBlank() ? USUAL : Path.of(fromEnvironment);
  }
}
