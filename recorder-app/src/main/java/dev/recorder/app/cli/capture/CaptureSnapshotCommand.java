package dev.recorder.app.cli.capture;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.TerminalLine;
import dev.recorder.app.config.ConfigException;
import dev.recorder.capture.postgres.snapshot.SnapshotState;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the present rows of a captured table into the log. */
@Command(
    name = "snapshot",
    description = {
      "Write all rows of a captured table into its log, while the table is in use.",
      "An interrupted snapshot continues. A replay of it also removes rows whose deletion" + " was",
      "not captured. Needs SELECT and UPDATE on the table."
    },
    mixinStandardHelpOptions = true)
final class CaptureSnapshotCommand extends PrintingCommand {
  @Mixin private CaptureTarget target;
  @Mixin private OutputOption output;

  @Option(
      names = "--anew",
      description = "Start from the beginning, even if the last snapshot was interrupted.")
  private boolean anew;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    SnapshotState last = run(target, err(), output, anew);
    output.print(
        new JsonObject()
            .with("recorder", last.recorder())
            .with("table", last.table())
            .with("rows", last.rows())
            .with("begun", last.begunAt())
            .with("ended", last.endedAt()),
        sentence(last));
    return ExitCode.OK;
  }

  static String sentence(SnapshotState last) {
    return "the log of "
        + last.recorder()
        + " has a snapshot of "
        + EscapedText.of(last.table())
        + "; rows read: "
        + last.rows();
  }

  /** Takes the snapshot, and shows its progress on a terminal. */
  static SnapshotState run(CaptureTarget target, PrintWriter err, OutputOption output, boolean anew)
      throws ConfigException, CommandFailure, InterruptedException {
    TerminalLine line = new TerminalLine(err, Ticker.system());
    try {
      return target.ask(
          captures ->
              captures.snapshot(
                  target.recorder(),
                  target.table(),
                  anew,
                  output.showsProgress() ? onto(line) : (rows, percent) -> {}));
    } finally {
      line.erase();
    }
  }

  /**
   * Returns a receiver of the progress that shows it in the line. Rows of an earlier, interrupted
   * snapshot do not count in the rate.
   */
  static SnapshotState.SnapshotProgress onto(TerminalLine line) {
    AtomicLong before = new AtomicLong(-1);
    return (rows, percent) -> {
      before.compareAndSet(-1, rows);
      line.show(
          rows - before.get(), () -> String.format(Locale.ROOT, "%,d rows, %d %%", rows, percent));
    };
  }
}
