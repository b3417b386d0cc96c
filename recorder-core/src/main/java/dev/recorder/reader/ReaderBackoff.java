package dev.recorder.reader;

import java.time.Duration;
import java.util.Optional;

/**
 * The pauses of a reader that follows while the store does not answer: doubled each time, up to
 * {@link #LONGEST}, until its patience is over; then they start again. Pure. For one thread.
 */
final class ReaderBackoff {
  static final Duration LONGEST = Duration.ofSeconds(30);

  private final Duration shortest;
  private final Duration patience;
  private Duration wait = Duration.ZERO;
  private long since;

  ReaderBackoff(Duration shortest, Duration patience) {
    this.shortest = shortest;
    this.patience = patience;
  }

  /** An attempt failed at {@code now}: the pause before the next one; empty to give up. */
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
    wait = Duration.ZERO; // A later call starts again.
    return Optional.empty();
  }

  /** Whether the last attempt failed. */
  boolean hasFailed() {
    return !wait.isZero();
  }

  void succeeded() {
    wait = Duration.ZERO;
  }
}
