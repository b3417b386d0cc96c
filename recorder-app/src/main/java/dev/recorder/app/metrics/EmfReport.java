package dev.recorder.app.metrics;

import dev.recorder.app.looks.LatestSample;
import dev.recorder.logging.LogEvent;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import dev.recorder.time.WallClock;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prints metrics for CloudWatch once a minute, at an even pace. Only its own thread waits for the
 * reader of standard output. A line that would be late is skipped.
 */
public final class EmfReport implements AutoCloseable {
  static final Duration EVERY = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(EmfReport.class);

  private final EmfFigures figures;
  private final Supplier<LatestSample> found;
  private final PrintStream out;
  private final Thread thread;

  private EmfReport(EmfFigures figures, Supplier<LatestSample> found, PrintStream out) {
    this.figures = figures;
    this.found = found;
    this.out = out;
    this.thread = new NamedThreadFactory("emf").newThread(this::work);
  }

  /**
   * The origin of the metrics.
   *
   * @param site distinguishes the hosts of this database from others
   * @param recorders the recorders with metrics of their own
   */
  public record Whose(String site, String host, List<String> recorders) {
    /** Replaces characters that a dimension must not have. */
    public Whose {
      site = site.replaceAll("[^\\x21-\\x7e]", "_");
      recorders = List.copyOf(recorders);
    }
  }

  /** Starts printing. */
  public static EmfReport start(
      Whose whose,
      MachineMetrics machine,
      Reloads reloads,
      Supplier<LatestSample> found,
      PrintStream out) {
    EmfReport report = new EmfReport(new EmfFigures(whose, machine, reloads), found, out);
    report.thread.start();
    return report;
  }

  private void work() {
    Ticker ticker = Ticker.system();
    long next = ticker.nanos();
    try {
      while (true) {
        next = Math.max(next + EVERY.toNanos(), ticker.nanos());
        Pause.sleep(Duration.ofNanos(next - ticker.nanos()));
        print(WallClock.system().millis());
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(long atMillis) {
    try {
      figures.lines(found.get(), atMillis).forEach(out::println);
      out.flush();
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: figures could not be printed for CloudWatch", bug);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
