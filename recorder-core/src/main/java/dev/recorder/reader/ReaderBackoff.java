package dev.recorder.reader;

import java.time.Duration;
import java.util.Optional;

/**
 * The pauses of a reader that follows, while the store does not answer. Each pause is twice the
 * previous one, up to {@link #LONGEST}. After {@code patience} the reader gives up, and a later
 * attempt begins with the shortest pause. Pure. For one thread.
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

  /**
   * Notes that an attempt failed at {@code now}. Returns the pause before the next attempt; empty
   * to give up.
   */
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

  /** Returns whether the last attempt failed. */
  boolean hasFailed() {
    return !wait.isZero();
  }

  void succeeded() {
    wait = Duration.ZERO;
  }
}
