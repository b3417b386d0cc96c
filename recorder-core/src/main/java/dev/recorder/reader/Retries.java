package dev.recorder.reader;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a reader that follows waits for a store that gives no answer: twice as long each time,
 * up to {@link #LONGEST}, until its patience is at an end; then with as much of it again. Pure. For
 * one thread.
 */
final class Retries {
  static final Duration LONGEST = Duration.ofSeconds(30);

  private final Duration shortest;
  private final Duration patience;
  private Duration wait = Duration.ZERO;
  private long since;

  Retries(Duration shortest, Duration patience) {
    this.shortest = shortest;
    this.patience = patience;
  }

  /** It failed, at {@code now}: how long to wait before the next try; empty to give up. */
  Optional<Duration> failed(long now) {
    if (!hasFailed()) {
      since = now;
      wait = shortest;
    } else {
      wait = wait.multipliedBy(2);
    }
    if (wait.compareTo(LONGEST) > 0) {
      wait = LONGEST;
    }
    if (now - since < patience.toNanos()) {
      return Optional.of(wait);
    }
    wait = Duration.ZERO; // Whoever asks again begins anew.
    return Optional.empty();
  }

  /** Whether the last try failed. */
  boolean hasFailed() {
    return !wait.isZero();
  }

  void succeeded() {
    wait = Duration.ZERO;
  }
}
