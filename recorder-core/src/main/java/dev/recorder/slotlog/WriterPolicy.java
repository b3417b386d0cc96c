package dev.recorder.slotlog;

import java.time.Duration;

/**
 * The waits of a writer.
 *
 * @param linger how long rows may wait for a fuller slot
 * @param poll how often an idle writer looks for rows
 * @param firstRetry wait before the first repetition; doubled each time
 * @param longestRetry where the doubling stops
 */
public record WriterPolicy(
    Duration linger, Duration poll, Duration firstRetry, Duration longestRetry) {
  private static final Duration SHORTEST_POLL = Duration.ofMillis(50);
  private static final Duration LONGEST_POLL = Duration.ofSeconds(1);

  /** The product's waits for a recorder with this {@code linger}. */
  public static WriterPolicy withLinger(Duration linger) {
    Duration poll = linger.compareTo(LONGEST_POLL) < 0 ? linger : LONGEST_POLL;
    if (poll.compareTo(SHORTEST_POLL) < 0) {
      poll = SHORTEST_POLL;
    }
    return new WriterPolicy(linger, poll, Duration.ofMillis(50), Duration.ofSeconds(2));
  }

  long retryNanos(int attempt) {
    long doubled = firstRetry.toNanos() << Math.min(attempt, 20);
    return Math.min(doubled, longestRetry.toNanos());
  }
}
