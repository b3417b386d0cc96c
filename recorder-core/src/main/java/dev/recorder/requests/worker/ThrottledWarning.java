package dev.recorder.requests.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.logging.NamedEvent;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Logs a warning about an event that may happen a thousand times a second: at once, then at most
 * once in {@link #EVERY}, with the count since the last line. Thread-safe.
 */
final class ThrottledWarning {
  static final Duration EVERY = Duration.ofSeconds(30);

  private final Logger log;
  private final NamedEvent event;
  private final Ticker ticker;

  @GuardedBy("this")
  private boolean ever;

  @GuardedBy("this")
  private long lastAt;

  @GuardedBy("this")
  private long untold;

  /**
   * @param event with the sentence and the count as its fields
   */
  ThrottledWarning(Logger log, NamedEvent event, Ticker ticker) {
    this.log = log;
    this.event = event;
    this.ticker = ticker;
  }

  /** Counts {@code times} events, and logs the warning {@code what} if it is due. */
  synchronized void warn(long times, String what) {
    untold += times;
    long now = ticker.nanos();
    if (!ever || now - lastAt >= EVERY.toNanos()) {
      log.warn(event, "{} ({} since this was last logged)", what, untold);
      ever = true;
      lastAt = now;
      untold = 0;
    }
  }
}
