package dev.recorder.slotlog;

import java.time.Duration;

/**
 * The waits of a writer.
 *
 * @param linger how long rows may wait for a fuller slot
 * @param pace shortest time from a read that took rows to the next read
 * @param lookAgain longest wait for a report of rows; then the writer reads without a report
 * @param firstRetry wait before the first retry, doubled with each further one
 * @param longestRetry the longest wait before a retry
 */
public record WriterPolicy(
    LingerRule linger,
    Duration pace,
    Duration lookAgain,
    Duration firstRetry,
    Duration longestRetry) {
  private static final Duration FIRST_COUNT = Duration.ofSeconds(1);
  private static final Duration LONGEST_COUNT = Duration.ofMinutes(1);

  /** Returns the product's waits for a recorder with this {@code linger}. */
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
   * Returns the wait until rows are counted again that have waited for {@code waited} without a
   * report. Each count reads all these rows, so the waits double.
   */
  long countAgainNanos(long waited) {
    return Math.min(Math.max(waited, FIRST_COUNT.toNanos()), LONGEST_COUNT.toNanos());
  }
}
