package dev.recorder.machine.term;

import java.time.Duration;

/**
 * The times at which a log is cleared. With few recorders, each has its usual interval. With more
 * than a hundred, intervals grow so that {@value #PER_SECOND} turns come in a second, since all
 * recorders share a session and most turns find nothing to do. Terms that begin together have their
 * turns at different times. Pure.
 *
 * @param usualMillis interval between turns with few recorders
 */
record ClearingTurns(long usualMillis, int recorders, int lockId) {
  private static final int PER_SECOND = 10;

  private static final int SECOND = 1_000;

  /** The interval between two turns. */
  Duration every() {
    return Duration.ofMillis(everyMillis());
  }

  private long everyMillis() {
    return Math.max(usualMillis, (long) recorders / PER_SECOND * SECOND);
  }

  /** The time from the term's beginning to its first turn. */
  Duration first() {
    long more = (everyMillis() - usualMillis) / SECOND;
    return Duration.ofMillis(usualMillis + lockId % (more + 1) * SECOND);
  }
}
