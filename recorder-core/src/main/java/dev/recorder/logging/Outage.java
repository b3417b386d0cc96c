package dev.recorder.logging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs once when something goes down and once when it comes up again, however often it is asked in
 * between. Only what failed first can show that it is up again: a store that refuses each PUT and
 * answers each HEAD in between is down all the time; or whoever knows that work went on without it.
 * Thread-safe.
 */
public final class Outage {
  private final Logger log;
  private final String what;

  @GuardedBy("this")
  private @Nullable Object failed;

  public Outage(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  public void down(String why) {
    down(this, why);
  }

  public void up() {
    up(this);
  }

  /** {@code tried} failed. */
  public synchronized void down(Object tried, String why) {
    if (failed == null) {
      failed = tried;
      log.warn(LogEvent.OUTAGE_BEGAN, "{} does not answer properly, retrying: {}", what, why);
    }
  }

  /** {@code tried} succeeded. */
  public synchronized void up(Object tried) {
    if (tried.equals(failed)) {
      isOver();
    }
  }

  /** Whatever failed is no longer needed, or has succeeded by another way. */
  public synchronized void isOver() {
    if (failed != null) {
      failed = null;
      log.info(LogEvent.OUTAGE_ENDED, "{} answers again", what);
    }
  }
}
