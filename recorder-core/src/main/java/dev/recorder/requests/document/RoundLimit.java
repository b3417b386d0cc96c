package dev.recorder.requests.document;

import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;

/** Limits the rounds and the time of a unit, after which the unit is postponed. Not thread-safe. */
final class RoundLimit {
  /** The most rounds. Each round reads and writes the object, which burdens the store. */
  static final int ROUNDS = 6;

  private final Ticker ticker;
  private final long since;
  private final Duration limit;
  private int rounds;

  RoundLimit(Ticker ticker, Duration limit) {
    this.ticker = ticker;
    this.since = ticker.nanos();
    this.limit = limit;
  }

  /** Whether half of the time has passed; the rest is for the write. */
  boolean isHalfOver() {
    return ticker.nanos() - since >= limit.toNanos() / 2;
  }

  /**
   * Whether another round may begin; counts that round.
   *
   * @throws InterruptedException if the caller was interrupted, which stores do not always report
   */
  boolean lasts() throws InterruptedException {
    Pause.endIfInterrupted();
    return rounds++ < ROUNDS && ticker.nanos() - since < limit.toNanos();
  }
}
