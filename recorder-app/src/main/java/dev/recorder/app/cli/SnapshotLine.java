package dev.recorder.app.cli;

import dev.recorder.capture.postgres.SnapshotState;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * One line on a terminal that says how far a snapshot is; it writes over itself and is gone in the
 * end. For one thread.
 */
final class SnapshotLine implements SnapshotState.Progress {
  private static final long BETWEEN = Duration.ofMillis(200).toNanos();
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter terminal;
  private final Ticker ticker;
  private final long begun;
  private long rowsBefore = -1;
  private long shownAt;
  private boolean shown;

  SnapshotLine(PrintWriter terminal, Ticker ticker) {
    this.terminal = terminal;
    this.ticker = ticker;
    this.begun = ticker.nanos();
    this.shownAt = begun;
  }

  @Override
  public void at(long rows, int percent) {
    rowsBefore = rowsBefore < 0 ? rows : rowsBefore;
    long now = ticker.nanos();
    if (now - shownAt >= BETWEEN) {
      shownAt = now;
      shown = true;
      long millis = Math.max(1, Duration.ofNanos(now - begun).toMillis());
      terminal.print(
          ERASE
              + String.format(
                  Locale.ROOT,
                  "%,d rows, %d %%; %,d rows/s",
                  rows,
                  percent,
                  (rows - rowsBefore) * 1_000 / millis));
      terminal.flush();
    }
  }

  /** Nothing of it is left. */
  void erase() {
    if (shown) {
      terminal.print(ERASE);
      terminal.flush();
      shown = false;
    }
  }
}
