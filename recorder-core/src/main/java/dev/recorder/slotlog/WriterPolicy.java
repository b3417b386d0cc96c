package dev.recorder.slotlog;

import java.time.Duration;

/**
 * The waits of a writer.
 *
 * @param linger how long rows may wait for a fuller slot
 * @param pace from a read that took rows to the next one, at least
 * @param lookAgain longest wait of a writer without rows for a report of some; then it looks
 * @param firstRetry wait before the first repetition; doubled each time
 * @param longestRetry where the doubling stops
 */
public record WriterPolicy(
    LingerRule linger,
    Duration pace,
    Duration lookAgain,
    Duration firstRetry,
    Duration longestRetry) {
  private static final Duration FIRST_COUNT = Duration.ofSeconds(1);
  private static final Duration LONGEST_COUNT = Duration.ofMinutes(1);

  /** The product's waits for a recorder with this {@code linger}. */
  public static WriterPolicy withLinger(LingerRule linger) {
    return new WriterPolicy(
        linger,
        Duration.ofMillis(20),
        Duration.ofSeconds(10),
        Duration.ofMillis(50),
        Duration.ofSeconds(2));
  }

  long retryNanos(int attempt) {
    long doubled = firstRetry.toNanos() << Math.min(attempt, 20);
    return Math.min(doubled, longestRetry.toNanos());
  }

  /**
   * When to count again rows that have waited for this long without a report: each count reads all
   * of them, so the waits double.
   */
  long countAgainNanos(long waited) {
    return Math.min(Math.max(waited, FIRST_COUNT.toNanos()), LONGEST_COUNT.toNanos());
  }
}
