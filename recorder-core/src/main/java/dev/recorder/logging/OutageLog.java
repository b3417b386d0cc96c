package dev.recorder.logging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs an outage once when it begins and once when it ends. Each further reason is logged once, up
 * to {@value #MOST_REASONS} reasons. The outage ends when the call that failed first succeeds: a
 * store that refuses every PUT is down even if it answers a HEAD in between. The caller may also
 * state that the outage has ended. Thread-safe.
 */
public final class OutageLog {
  private final Logger log;
  private final String what;

  private static final int MOST_REASONS = 8;

  /** Numbers in which equal reasons may differ: keys, ports, process ids, times. */
  private static final Pattern NUMBER = Pattern.compile("\\d{4,}|\\d+(?= m?s\\b)");

  @GuardedBy("this")
  private @Nullable Object failed;

  @GuardedBy("this")
  private final Set<String> reasons = new HashSet<>();

  public OutageLog(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  public void down(String why) {
    down(this, why);
  }

  public void up() {
    up(this);
  }

  public synchronized void down(Object tried, String why) {
    if (failed == null) {
      failed = tried;
    }
    boolean isTold = !tried.equals(failed) || reasons.size() >= MOST_REASONS;
    if (!isTold && reasons.add(NUMBER.matcher(why).replaceAll("#"))) {
      log.warn(LogEvent.OUTAGE_BEGAN, "{} does not answer properly, retrying: {}", what, why);
    }
  }

  public synchronized void up(Object tried) {
    if (tried.equals(failed)) {
      isOver();
    }
  }

  /**
   * Ends the outage, because the failed call has become unnecessary or has succeeded in another
   * way.
   */
  public synchronized void isOver() {
    if (failed != null) {
      failed = null;
      reasons.clear();
      log.info(LogEvent.OUTAGE_ENDED, "{} answers again", what);
    }
  }
}
