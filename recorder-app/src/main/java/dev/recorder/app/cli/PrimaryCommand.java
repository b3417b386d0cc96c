package dev.recorder.app.cli;

import dev.recorder.app.cli.ReloadReport.WrittenRecorder;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ElectionWord;
import dev.recorder.app.config.FileEditException;
import dev.recorder.app.config.PrimaryEdit;
import dev.recorder.app.config.PrimaryEdit.Edited;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderKindWord;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.app.daemon.ReloadAnswer;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Changes which host is preferred, as far as this host's file says it: the line, and then the
 * process that reads the file. Nothing is written before that process has said that it is there and
 * reads this file.
 */
@Command(
    name = "primary",
    description = {
      "Write primary of a recorder into this host's file, and have its instance reload.",
      "To move a recorder: true on the host that is to have it, false on the one that has it."
    },
    mixinStandardHelpOptions = true)
final class PrimaryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Parameters(index = "0", paramLabel = "NAME", description = "The recorder, of a log.")
  private String name;

  @Parameters(
      index = "1",
      paramLabel = "true|false",
      description = "Whether this host is preferred.")
  private boolean primary;

  @Option(
      names = "--no-reload",
      description = "Write the file and ask nobody, as when the instance does not run.")
  private boolean fileOnly;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    RecorderConfig loaded = ReloadReport.load(spec, output, config, false);
    requirePreference(CommandResources.section(loaded, name));
    ReloadReport report = new ReloadReport(spec, output, loaded.machine().name());
    if (fileOnly) {
      report.written(config.path(), written(edit()));
      return ExitCode.OK;
    }
    try (ReloadRun run = open(loaded, patience)) {
      ReloadAnswer preview = preview(run);
      if (!preview.errors().isEmpty()) {
        return report.compared(preview);
      }
      Edited edited = edit();
      if (!output.isJson()) {
        report.written(config.path(), written(edited));
      }
      return report.done(reload(run));
    }
  }

  private void requirePreference(RecorderSection section) throws CommandFailure {
    if (section.kind() == RecorderKindWord.REQUESTS) {
      throw CommandFailure.usage(
          "recorder '%s' has kind = requests: all hosts work on it at once, and none is preferred"
              .formatted(name));
    } else if (section.leading().election() == ElectionWord.REDIS) {
      throw CommandFailure.usage(
          "recorder '%s' has election = redis: whoever has its key is active, and no host is preferred"
              .formatted(name));
    }
  }

  private WrittenRecorder written(Edited edited) {
    return new WrittenRecorder(name, primary, edited.line(), edited.changed());
  }

  private Edited edit() throws ConfigException, CommandFailure, InterruptedException {
    try {
      Edited edited = PrimaryEdit.of(config.path()).set(name, primary);
      if (!edited.doubt().isEmpty()) {
        spec.commandLine().getErr().println("recorder: warning: " + edited.doubt());
      }
      return edited;
    } catch (FileEditException refused) {
      throw new CommandFailure(exitCode(refused.kind()), String.valueOf(refused.getMessage()));
    }
  }

  private static int exitCode(FileEditException.FileEditErrorKind kind) {
    return switch (kind) {
      case RIGHTS -> ExitCode.RIGHTS;
      case FORM -> ExitCode.CONFIGURATION;
      case BUSY -> ExitCode.TRY_LATER;
    };
  }

  private ReloadRun open(RecorderConfig loaded, Duration patience) throws CommandFailure {
    try {
      return ReloadRun.open(loaded, patience);
    } catch (CommandFailure unasked) {
      throw unwritten(unasked);
    }
  }

  private ReloadAnswer preview(ReloadRun run) throws CommandFailure, InterruptedException {
    try {
      return run.dryRun();
    } catch (CommandFailure unasked) {
      throw unwritten(unasked);
    }
  }

  private CommandFailure unwritten(CommandFailure unasked) {
    return new CommandFailure(
        unasked.exitCode(),
        "%s; the file is as it was, and 'recorder primary %s %s --no-reload' writes it all the same"
            .formatted(unasked.getMessage(), name, primary));
  }

  private static ReloadRun.ReloadOutcome reload(ReloadRun run)
      throws CommandFailure, InterruptedException {
    try {
      return run.reload();
    } catch (CommandFailure late) {
      throw new CommandFailure(
          late.exitCode(),
          "the file says so now, and whether the instance uses it is not known: %s; 'recorder reload' tells"
              .formatted(late.getMessage()));
    }
  }
}
