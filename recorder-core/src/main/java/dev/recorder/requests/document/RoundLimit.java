package dev.recorder.requests.document;

import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;

/** Limits the number of rounds and the time of a unit before it is postponed. Not thread-safe. */
final class RoundLimit {
  /** Each round reads and writes the object; more would burden the store. */
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

  /** Whether the rest of the time is for the write: half of it has passed. */
  boolean isHalfOver() {
    return ticker.nanos() - since >= limit.toNanos() / 2;
  }

  /**
   * Whether there is another round; counts it.
   *
   * @throws InterruptedException if the caller was interrupted; stores answer even then
   */
  boolean lasts() throws InterruptedException {
    Pause.endIfInterrupted();
    return rounds++ < ROUNDS && ticker.nanos() - since < limit.toNanos();
  }
}
