package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.operate.diagnosis.GapForecast;
import dev.recorder.operate.orders.HostAnswer.TermCheck;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.Takeover;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * Prints the outcome of a switchover: sentences for people as it proceeds, or one JSON object at
 * the end. A failure without an outcome, such as an order that was never given, has no object.
 */
final class SwitchoverReport {
  private final PrintWriter out;
  private final OutputOption output;
  private final JsonObject object = new JsonObject();
  private boolean ordered;

  SwitchoverReport(PrintWriter out, OutputOption output, String recorder, String to) {
    this.out = out;
    this.output = output;
    // All members are always there, in this order.
    object
        .with("recorder", recorder)
        .with("state", null)
        .with("why", null)
        .with("from", null)
        .with("to", to)
        .with("from_epoch", null)
        .with("to_epoch", null)
        .with("gap_ms", null)
        .with("checks", List.of())
        .with("predicted_gap", null)
        .with("paused", null)
        .with("goes_back", null);
  }

  void from(RecorderStatus before) {
    object.with("from", before.holder());
  }

  void checked(List<TermCheck> checks) {
    object.with("checks", checks.stream().map(SwitchoverReport::json).toList());
    for (TermCheck check : checks) {
      say("%s: %s".formatted(check.what(), words(check)));
    }
  }

  /**
   * Returns the result of a check in words. The file is compared with the settings of its own
   * daemon only, not with the files of other hosts.
   */
  private static String words(TermCheck check) {
    if (!check.trouble().isEmpty()) {
      return EscapedText.of(check.trouble());
    }
    return check.what().equals("file") ? "fine, the process does what it says" : "fine";
  }

  void forecast(Optional<GapForecast> forecast) {
    object.with("predicted_gap", forecast.map(SwitchoverReport::json).orElse(null));
    say(
        forecast
            .map(GapForecast::toString)
            .orElse("it was never handed over gracefully, so how long that takes is not known"));
  }

  void paused(PausedRecorder pause) {
    object.with("paused", PauseReport.json(pause));
    say("it stays " + pause);
  }

  void goesBack(boolean soon) {
    object.with("goes_back", soon);
    if (soon) {
      say(
          "failback = auto: it goes back to its primary after failback_after; for a lasting move"
              + " change primary in the files and send SIGHUP");
    }
  }

  void say(String sentence) {
    if (!output.isJson()) {
      out.println(EscapedText.lines(sentence));
    }
  }

  /** Notes that the order is given: from now on, a failure may leave a switchover under way. */
  void ordered() {
    ordered = true;
  }

  void receipt(Takeover receipt) {
    object
        .with("from", receipt.from())
        .with("from_epoch", receipt.fromEpoch())
        .with("to_epoch", receipt.toEpoch())
        .with("gap_ms", receipt.gapMillis());
  }

  /** Prints that the recorder is at its target. */
  void done(String why) {
    end("done", why);
  }

  /** Prints that the switchover is possible and that nothing was ordered. */
  void possible(String why, String asked) {
    say("nothing was ordered: " + asked);
    end("possible", why);
  }

  void failed(CommandFailure failure) {
    String why = String.valueOf(failure.getMessage());
    if (failure.exitCode() == ExitCode.REFUSED) {
      end("refused", why);
    } else if (ordered && failure.exitCode() == ExitCode.TRY_LATER) {
      end("under_way", why);
    }
  }

  private void end(String state, String why) {
    if (output.isJson()) {
      OutputOption.printJson(out, object.with("state", state).with("why", why));
      out.flush(); // An interrupted process ends soon.
    }
  }

  private static JsonObject json(TermCheck check) {
    return new JsonObject()
        .with("check", check.what())
        .with("trouble", check.trouble().isEmpty() ? null : check.trouble());
  }

  private static JsonObject json(GapForecast forecast) {
    return new JsonObject()
        .with("times", forecast.times())
        .with("median_ms", forecast.medianMillis())
        .with("longest_ms", forecast.longestMillis());
  }
}
