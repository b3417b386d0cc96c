package dev.recorder.machine.poll;

import java.time.Duration;

/**
 * How often a {@link RowPoller} looks: a little less often where nothing has come for a while,
 * since each look wakes a session of the server, and both processors. Pure; for one thread.
 */
final class PollPace {
  static final int EVERY_MILLIS = 50;

  /** Within the tenth of a second in which a row must be noticed. */
  static final int CALM_MILLIS = 75;

  static final Duration CALM_AFTER = Duration.ofSeconds(10);

  private long newsAt;

  /** As if there had been news just now. */
  PollPace(long now) {
    this.newsAt = now;
  }

  /** A log has come or gone, or may have got rows. */
  void news(long now) {
    newsAt = now;
  }

  /**
   * From one look to the next.
   *
   * @param inOneLook whether each look is for all logs; else each waits for several of them already
   */
  Duration at(long now, boolean inOneLook) {
    boolean calm = inOneLook && now - newsAt >= CALM_AFTER.toNanos();
    return Duration.ofMillis(calm ? CALM_MILLIS : EVERY_MILLIS);
  }
}
