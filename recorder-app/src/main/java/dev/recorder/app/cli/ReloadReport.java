package dev.recorder.app.cli;

import dev.recorder.app.cli.ReloadEffects.Effect;
import dev.recorder.app.cli.ReloadRun.Outcome;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.daemon.ReloadAnswer;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Prints what became of a reload, and says by the exit code whether it is over. */
final class ReloadReport {
  private final CommandSpec command;
  private final OutputOption output;
  private final String machine;

  ReloadReport(CommandSpec command, OutputOption output, String machine) {
    this.command = command;
    this.output = output;
    this.machine = machine;
  }

  /** Of a dry run. */
  int compared(ReloadAnswer answer) {
    if (output.isJson()) {
      printJson(answer, true, answer.recorders().stream().map(ReloadReport::json).toList());
    } else if (answer.errors().isEmpty()) {
      PrintWriter out = out();
      out.println(
          new Table<RecorderChange>()
              .text("RECORDER", RecorderChange::recorder)
              .text("WOULD BE", change -> words(change.kind().word()))
              .of(answer.recorders()));
      printRestarts(out, answer);
      out.println("nothing was changed: %s goes on as before".formatted(Shown.of(machine)));
    }
    return errors(answer);
  }

  /** Of a reload. */
  int done(Outcome outcome) {
    ReloadAnswer answer = outcome.answer();
    if (output.isJson()) {
      printJson(answer, false, outcome.effects().stream().map(ReloadReport::json).toList());
    } else if (answer.errors().isEmpty()) {
      PrintWriter out = out();
      out.println(
          new Table<Effect>()
              .text("RECORDER", Effect::recorder)
              .text("IS", effect -> words(effect.word()))
              .text("NOW", Effect::now)
              .of(outcome.effects()));
      printRestarts(out, answer);
    }
    int exitCode = errors(answer);
    if (exitCode != ExitCode.OK) {
      return exitCode;
    } else if (!outcome.isOver()) {
      err(
          "%s has read its file again, and not all of it has come about yet: what has not is still under way");
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
    answer.errors().forEach(error -> command.commandLine().getErr().println(Shown.of(error)));
    err("%s uses nothing of the file, and goes on as before");
    return ExitCode.CONFIGURATION;
  }

  private void err(String sentence) {
    command.commandLine().getErr().println("recorder: " + sentence.formatted(Shown.of(machine)));
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private static void printRestarts(PrintWriter out, ReloadAnswer answer) {
    answer.needsRestart().forEach(what -> out.println("needs a restart: " + Shown.of(what)));
  }

  private static String words(String word) {
    return switch (word) {
      case "preferred" -> "preferred here";
      case "not_preferred" -> "not preferred here";
      case "needs_restart" -> "as before until a restart";
      default -> word.replace('_', ' ');
    };
  }

  private void printJson(ReloadAnswer answer, boolean dryRun, List<JsonObject> recorders) {
    OutputOption.printJson(
        out(),
        new JsonObject()
            .with("machine", machine)
            .with("file", answer.file())
            .with("dry_run", dryRun)
            .with("applied", answer.applied())
            .with("errors", answer.errors())
            .with("needs_restart", answer.needsRestart())
            .with("recorders", recorders));
  }

  private static JsonObject json(RecorderChange change) {
    return new JsonObject()
        .with("recorder", change.recorder())
        .with("change", change.kind().word());
  }

  private static JsonObject json(Effect effect) {
    return new JsonObject()
        .with("recorder", effect.recorder())
        .with("change", effect.word())
        .with("settled", effect.settled())
        .with("now", effect.now());
  }
}
