package dev.recorder.machine.poll;

import java.time.Duration;

/**
 * How often a {@link RowPoller} looks. Without new rows for a while it looks a little less often,
 * since each look wakes a session of the server, and processors on both sides. Pure; for one
 * thread.
 */
final class PollPace {
  static final int EVERY_MILLIS = 50;

  /**
   * The pause between looks when no rows come; it keeps within the 100 ms in which a row must be
   * noticed.
   */
  static final int CALM_MILLIS = 75;

  static final Duration CALM_AFTER = Duration.ofSeconds(10);

  private long newsAt;

  /** Starts as if rows had come just now. */
  PollPace(long now) {
    this.newsAt = now;
  }

  /** Notes that a log was added or removed, or may have new rows. */
  void news(long now) {
    newsAt = now;
  }

  /**
   * Returns the pause between two looks.
   *
   * @param inOneLook whether each look covers all logs; otherwise a log already waits for several
   *     looks
   */
  Duration at(long now, boolean inOneLook) {
    boolean calm = inOneLook && now - newsAt >= CALM_AFTER.toNanos();
    return Duration.ofMillis(calm ? CALM_MILLIS : EVERY_MILLIS);
  }
}
