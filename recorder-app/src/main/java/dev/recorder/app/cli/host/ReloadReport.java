package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.host.ReloadEffects.RecorderReloadEffect;
import dev.recorder.app.cli.host.ReloadRun.ReloadOutcome;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.daemon.ReloadAnswer;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Prints the outcome of a reload. The exit code says whether the reload is complete. */
final class ReloadReport {
  private static final ListColumns<RecorderChange> CHANGES =
      new ListColumns<RecorderChange>()
          .text("RECORDER", "recorder", RecorderChange::recorder)
          .text("WOULD BE", change -> words(change.kind().word()))
          .member("change", change -> change.kind().word());

  private static final ListColumns<RecorderReloadEffect> EFFECTS =
      new ListColumns<RecorderReloadEffect>()
          .text("RECORDER", "recorder", RecorderReloadEffect::recorder)
          .text("IS", effect -> effect.faulty() ? "refused" : words(effect.word()))
          .member("change", RecorderReloadEffect::word)
          .member("settled", RecorderReloadEffect::settled)
          .text("NOW", "now", RecorderReloadEffect::now);

  private final CommandSpec command;
  private final OutputOption output;
  private final String machine;

  ReloadReport(CommandSpec command, OutputOption output, String machine) {
    this.command = command;
    this.output = output;
    this.machine = machine;
  }

  /**
   * Reads the file. If it cannot be used, prints its errors as JSON in the form of an answer. The
   * host's name is then null, since it is not known.
   */
  static RecorderConfig load(
      CommandSpec command, OutputOption output, ConfigOption config, boolean dryRun)
      throws ConfigException {
    try {
      return config.load();
    } catch (ConfigException bad) {
      if (output.isJson()) {
        List<String> errors = bad.findings().stream().map(Finding::toString).toList();
        ReloadAnswer nobody =
            new ReloadAnswer(
                ConfigFile.realPath(config.path()), false, errors, List.of(), List.of());
        OutputOption.printJson(
            command.commandLine().getOut(), json(null, nobody, dryRun, List.of()));
      }
      throw bad;
    }
  }

  /** Prints the answer to a dry run and returns the exit code. */
  int compared(ReloadAnswer answer) {
    if (output.isJson()) {
      List<JsonObject> recorders = answer.recorders().stream().map(CHANGES::json).toList();
      OutputOption.printJson(out(), json(machine, answer, true, recorders));
    } else if (answer.errors().isEmpty()) {
      PrintWriter out = out();
      out.println(CHANGES.of(answer.recorders()));
      printRestarts(out, answer);
      if (answer.recorders().stream().anyMatch(change -> change.kind() == ChangeKind.STARTED)) {
        out.println(
            "started, unless the database or the bucket speaks against it: 'recorder check"
                + " --online' asks them");
      }
      out.println("nothing was changed: %s continues as before".formatted(EscapedText.of(machine)));
    }
    return errors(answer);
  }

  /** Prints the outcome of a reload and returns the exit code. */
  int done(ReloadOutcome outcome) {
    ReloadAnswer answer = outcome.answer();
    if (output.isJson()) {
      List<JsonObject> recorders = outcome.effects().stream().map(EFFECTS::json).toList();
      OutputOption.printJson(out(), json(machine, answer, false, recorders));
    } else if (answer.errors().isEmpty()) {
      out().println(EFFECTS.of(outcome.effects()));
      printRestarts(out(), answer);
    }
    int exitCode = errors(answer);
    if (exitCode != ExitCode.OK) {
      return exitCode;
    } else if (!outcome.isOver()) {
      err(
          "%s has read its file again, and not all of it has come about yet: what has not is still"
              + " under way");
      return ExitCode.TRY_LATER;
    } else if (outcome.isFaulty()) {
      err("%s has read its file again, and refuses a recorder until what it says is put in order");
      return ExitCode.FAULTS;
    }
    return ExitCode.OK;
  }

  private int errors(ReloadAnswer answer) {
    if (answer.errors().isEmpty()) {
      return ExitCode.OK;
    }
    answer.errors().forEach(error -> command.commandLine().getErr().println(EscapedText.of(error)));
    err("%s uses nothing of the file, and continues as before");
    return ExitCode.CONFIGURATION;
  }

  private void err(String sentence) {
    command
        .commandLine()
        .getErr()
        .println("recorder: " + sentence.formatted(EscapedText.of(machine)));
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private static void printRestarts(PrintWriter out, ReloadAnswer answer) {
    answer.needsRestart().forEach(what -> out.println("needs a restart: " + EscapedText.of(what)));
  }

  private static String words(String word) {
    return switch (word) {
      case "preferred" -> "preferred here";
      case "not_preferred" -> "not preferred here";
      case "needs_restart" -> "as before until a restart";
      default -> word.replace('_', ' ');
    };
  }

  private static JsonObject json(
      @Nullable String machine, ReloadAnswer answer, boolean dryRun, List<JsonObject> recorders) {
    return new JsonObject()
        .with("machine", machine)
        .with("file", answer.file())
        .with("dry_run", dryRun)
        .with("applied", answer.applied())
        .with("errors", answer.errors())
        .with("needs_restart", answer.needsRestart())
        .with("recorders", recorders);
  }
}
