package dev.recorder.requests;

import java.time.Duration;

/**
 * The pause of an entity after a failed attempt: {@link #FIRST} after the first, doubled with each
 * further one, at most {@link #LONGEST}.
 */
public final class Backoff {
  public static final Duration FIRST = Duration.ofMillis(500);
  public static final Duration LONGEST = Duration.ofSeconds(60);

  private Backoff() {}

  /**
   * Returns the pause after an attempt.
   *
   * @param attempts number of attempts so far, at least 1
   */
  public static Duration after(int attempts) {
    // 2^7 * 500 ms exceeds the longest pause; larger shifts would overflow.
    Duration pause = FIRST.multipliedBy(1L << Math.min(attempts - 1, 7));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }
}
