package dev.recorder.app.cli.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.cli.output.TerminalLine;
import dev.recorder.audit.Progress;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Shows the progress of several verifications in one line. Thread-safe. */
final class ProgressLine {
  @GuardedBy("this")
  private final PrintWriter terminal;

  @GuardedBy("this")
  private final TerminalLine line;

  // Guarded by this. Not annotated, since a lambda reads it while the lock is held.
  private final Map<String, LogProgress> running = new LinkedHashMap<>();

  @GuardedBy("this")
  private long finishedRows;

  private static final class LogProgress {
    // Guarded by the ProgressLine.
    private long slots;
    private long allSlots;
    private long lines;
    private long pages;
    private long allPages;

    /**
     * Returns the progress. Reading the objects counts as one half, reading the hand-off table as
     * the other.
     */
    long percent() {
      return (share(slots, allSlots) + share(pages, allPages)) / 2;
    }

    private static long share(long done, long all) {
      return all == 0 ? 0 : 100 * done / all;
    }
  }

  ProgressLine(PrintWriter terminal, Ticker ticker) {
    this.terminal = terminal;
    this.line = new TerminalLine(terminal, ticker);
  }

  /** Returns a receiver for the progress of {@code recorder}, which the line then shows. */
  synchronized Progress of(String recorder) {
    running.put(recorder, new LogProgress());
    return new Progress() {
      @Override
      public void slots(long done, long slots, long rows) {
        change(
            recorder,
            log -> {
              log.slots = done;
              log.allSlots = slots;
              log.lines = rows;
            });
      }

      @Override
      public void pages(long done, long pages, long rows) {
        change(
            recorder,
            log -> {
              log.pages = done;
              log.allPages = pages;
            });
      }
    };
  }

  synchronized void finish(String recorder) {
    LogProgress log = running.remove(recorder);
    finishedRows += log == null ? 0 : log.lines;
    line.erase();
  }

  /** Prints a permanent line above the progress line. */
  synchronized void say(String text) {
    line.erase();
    terminal.println(text);
    terminal.flush();
  }

  private synchronized void change(String recorder, Consumer<LogProgress> change) {
    LogProgress log = running.get(recorder);
    if (log != null) {
      change.accept(log);
      long rows = finishedRows + running.values().stream().mapToLong(l -> l.lines).sum();
      line.show(rows, this::logs);
    }
  }

  private String logs() {
    return running.entrySet().stream()
        .map(e -> describe(e.getKey(), e.getValue()))
        .collect(Collectors.joining("; "));
  }

  private static String describe(String recorder, LogProgress log) {
    return String.format(
        Locale.ROOT,
        "%s %d %% (slot %,d of %,d, %,d rows)",
        recorder,
        log.percent(),
        log.slots,
        log.allSlots,
        log.lines);
  }
}
