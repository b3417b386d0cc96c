package dev.recorder.app.cli.host;

import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.operate.orders.Operator;
import dev.recorder.operate.orders.PausedRecorder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints the outcome of {@code pause} and {@code resume}. */
public final class PauseReport {
  private final OutputOption output;

  PauseReport(OutputOption output) {
    this.output = output;
  }

  /**
   * Prints that the recorder is paused.
   *
   * @param before the pause before; null if there was none
   * @param now the present pause; null if it has ended meanwhile
   * @param effect the effect of the pause
   */
  void paused(
      String recorder,
      @Nullable PausedRecorder before,
      @Nullable PausedRecorder now,
      PauseConsequence effect) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        "recorder %s is %s"
            .formatted(
                recorder, now == null ? "no longer paused" : EscapedText.of(now.toString())));
    sentences.add(effect.whilePaused());
    if (before != null) {
      sentences.add("it was " + EscapedText.of(before.toString()) + " before");
    }
    output.print(json(recorder, true, before, now), sentences);
  }

  /** Prints that the pause has ended, or that there was none. */
  void resumed(
      String recorder, @Nullable PausedRecorder before, boolean changed, PauseConsequence effect) {
    List<String> sentences = new ArrayList<>();
    if (changed) {
      sentences.add("recorder " + recorder + " " + EscapedText.of(effect.goesOn()));
      if (before != null) {
        sentences.add("it was " + EscapedText.of(before.toString()));
      }
    } else {
      sentences.add("recorder " + recorder + " is not paused");
    }
    output.print(json(recorder, changed, before, null), sentences);
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
