package dev.recorder.app.cli.command;

import dev.recorder.app.cli.output.Shown;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.LoadedPart;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.ini.Finding;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which configuration file a command uses. */
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

  /** For a command that needs no more of it: what is wrong elsewhere is a warning. */
  public RecorderConfig load(NeededSections needed) throws ConfigException {
    return warned(ConfigFile.load(path(), needed));
  }

  /** The same of one about locks and tasks, which needs no recorder. */
  public LockConfig loadForLocks(NeededSections needed) throws ConfigException {
    return warned(ConfigFile.loadForLocks(path(), needed));
  }

  private <T> T warned(LoadedPart<T> loaded) {
    PrintWriter err = command.root().commandLine().getErr();
    for (Finding finding : loaded.setAside()) {
      err.println(Shown.of("recorder: warning, this command goes without it: " + finding));
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
