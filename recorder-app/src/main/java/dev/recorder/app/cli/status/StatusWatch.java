package dev.recorder.app.cli.status;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.status.StatusScreen.Shot;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Redraws the status every second until its reader is gone. A second thread samples the database,
 * so that the age of the last sample is shown while the database does not answer.
 */
final class StatusWatch {
  static final Duration REDRAW = Duration.ofSeconds(1);

  private final StatusSource look;
  private final Supplier<TerminalSize> size;
  private final Ticker ticker;

  /** Holds one sample. The sampling thread waits until it is drawn. */
  private final BlockingQueue<SeenStatus> looks = new ArrayBlockingQueue<>(1);

  @FunctionalInterface
  interface StatusSource {
    Shot take() throws CommandFailure;
  }

  /** A sample, or the reason why there is none. */
  private record SeenStatus(
      @Nullable Shot shot, String trouble, @Nullable RuntimeException defect) {}

  StatusWatch(StatusSource look, Supplier<TerminalSize> size, Ticker ticker) {
    this.look = look;
    this.size = size;
    this.ticker = ticker;
  }

  void run(PrintWriter out) throws InterruptedException {
    Thread looker = new NamedThreadFactory("watch").newThread(this::lookOn);
    looker.start();
    try {
      draw(out);
    } finally {
      looker.interrupt();
    }
  }

  private void draw(PrintWriter out) throws InterruptedException {
    Shot shot = null;
    String trouble = "";
    long at = ticker.nanos();
    while (!out.checkError()) {
      SeenStatus seen = looks.poll(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
      if (seen != null && seen.defect != null) {
        throw seen.defect;
      } else if (seen != null) {
        trouble = seen.trouble;
        if (seen.shot != null) {
          shot = seen.shot;
          at = ticker.nanos();
        }
      }
      Duration age = Duration.ofNanos(ticker.nanos() - at);
      out.print(new StatusScreen(shot, age, trouble).drawn(size.get()));
    }
  }

  private void lookOn() {
    try {
      while (true) {
        looks.put(seen());
        Pause.sleep(REDRAW);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private SeenStatus seen() {
    try {
      return new SeenStatus(look.take(), "", null);
    } catch (DatabaseException | CommandFailure away) {
      return new SeenStatus(null, String.valueOf(away.getMessage()), null);
    } catch (RuntimeException defect) {
      return new SeenStatus(null, "", defect);
    }
  }
}
