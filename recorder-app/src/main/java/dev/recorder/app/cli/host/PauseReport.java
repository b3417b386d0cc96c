package dev.recorder.app.cli.host;

import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.Shown;
import dev.recorder.operate.orders.Operator;
import dev.recorder.operate.orders.PausedRecorder;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** What became of a pause, for people or for programs. */
public final class PauseReport {
  private final PrintWriter out;
  private final OutputOption output;

  PauseReport(CommandSpec spec, OutputOption output) {
    this.out = spec.commandLine().getOut();
    this.output = output;
  }

  /**
   * It is paused.
   *
   * @param before what it was paused by before; null if it was not
   * @param now null if that is over by now, or was ended at once
   * @param effect whose it is
   */
  void paused(
      String recorder,
      @Nullable PausedRecorder before,
      @Nullable PausedRecorder now,
      PauseEffect effect) {
    if (output.isJson()) {
      OutputOption.printJson(out, json(recorder, true, before, now));
      return;
    }
    out.println(
        "recorder %s is %s"
            .formatted(recorder, now == null ? "no longer paused" : Shown.of(now.toString())));
    out.println(effect.whilePaused());
    if (before != null) {
      out.println("it was " + Shown.of(before.toString()) + " before");
    }
  }

  /** It goes on, or was not paused. */
  void resumed(
      String recorder, @Nullable PausedRecorder before, boolean changed, PauseEffect effect) {
    if (output.isJson()) {
      OutputOption.printJson(out, json(recorder, changed, before, null));
    } else if (changed) {
      out.println("recorder " + recorder + " " + Shown.of(effect.goesOn()));
      if (before != null) {
        out.println("it was " + Shown.of(before.toString()));
      }
    } else {
      out.println("recorder " + recorder + " is not paused");
    }
  }

  private static JsonObject json(
      String recorder,
      boolean changed,
      @Nullable PausedRecorder before,
      @Nullable PausedRecorder now) {
    return new JsonObject()
        .with("recorder", recorder)
        .with("changed", changed)
        .with("paused", now == null ? null : json(now))
        .with("before", before == null ? null : json(before));
  }

  /** A pause as programs read it. */
  public static JsonObject json(PausedRecorder paused) {
    Operator by = paused.by();
    return new JsonObject()
        .with("until", paused.until())
        .with("reason", paused.reason())
        .with("os_user", by == null ? null : by.osUser())
        .with("db_user", by == null ? null : by.dbUser())
        .with("db_client", by == null ? null : by.client());
  }
}
