package dev.recorder.app.cli.output;

import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * A progress line on a terminal. It overwrites itself, and is erased at the end. The rate counts
 * from the creation of this object. For one thread.
 */
public final class TerminalLine {
  /** Set by the launcher if standard error is a terminal. */
  public static final String TERMINAL = "recorder.terminal";

  private static final long BETWEEN = Duration.ofMillis(200).toNanos();
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter terminal;
  private final Ticker ticker;
  private final long begun;
  private long shownAt;
  private boolean shown;

  public TerminalLine(PrintWriter terminal, Ticker ticker) {
    this.terminal = terminal;
    this.ticker = ticker;
    this.begun = ticker.nanos();
    this.shownAt = begun;
  }

  /**
   * Redraws the line, at most five times a second.
   *
   * @param rows rows processed since the creation, for the rate
   * @param howFar the progress in words, called only if the line is redrawn
   */
  public void show(long rows, Supplier<String> howFar) {
    long now = ticker.nanos();
    if (now - shownAt >= BETWEEN) {
      shownAt = now;
      shown = true;
      long millis = Math.max(1, Duration.ofNanos(now - begun).toMillis());
      terminal.print(
          ERASE
              + String.format(Locale.ROOT, "%s; %,d rows/s", howFar.get(), rows * 1_000 / millis));
      terminal.flush();
    }
  }

  public void erase() {
    if (shown) {
      terminal.print(ERASE);
      terminal.flush();
      shown = false;
    }
  }
}
