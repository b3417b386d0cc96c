package dev.recorder.logging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs once when something goes down and once when it comes up again, however often it is asked in
 * between; and each other reason that it is down for meanwhile, once, unless there are many. Only
 * what failed first can show that it is up again: a store that refuses each PUT and answers each
 * HEAD in between is down all the time; or whoever knows that work went on without it. Thread-safe.
 */
public final class Outage {
  private final Logger log;
  private final String what;

  private static final int MOST_REASONS = 8;

  /** What may differ without another reason: keys, ports, process ids, times. */
  private static final Pattern NUMBER = Pattern.compile("\\d{4,}|\\d+(?= m?s\\b)");

  @GuardedBy("this")
  private @Nullable Object failed;

  @GuardedBy("this")
  private final Set<String> reasons = new HashSet<>();

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
    }
    boolean isTold = !tried.equals(failed) || reasons.size() >= MOST_REASONS;
    if (!isTold && reasons.add(NUMBER.matcher(why).replaceAll("#"))) {
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
      reasons.clear();
      log.info(LogEvent.OUTAGE_ENDED, "{} answers again", what);
    }
  }
}
