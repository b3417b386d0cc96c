package dev.recorder.machine.term;

import java.time.Duration;

/**
 * When a log has its turns at being cleared. Of more than a hundred recorders each has one so
 * rarely that {@value #PER_SECOND} come in a second: most turns find nothing to do, and all of them
 * share a session. Terms that begin together have their turns apart. Pure.
 *
 * @param usualMillis from one turn to the next, of a few recorders
 */
record ClearingTurns(long usualMillis, int recorders, int lockId) {
  private static final int PER_SECOND = 10;

  private static final int SECOND = 1_000;

  /** From one turn to the next. */
  Duration every() {
    return Duration.ofMillis(everyMillis());
  }

  private long everyMillis() {
    return Math.max(usualMillis, (long) recorders / PER_SECOND * SECOND);
  }

  /** From the term's beginning to its first turn. */
  Duration first() {
    long more = (everyMillis() - usualMillis) / SECOND;
    return Duration.ofMillis(usualMillis + lockId % (more + 1) * SECOND);
  }
}
