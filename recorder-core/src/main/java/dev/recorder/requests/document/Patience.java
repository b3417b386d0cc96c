package dev.recorder.requests.document;

import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;

/** How often, and how long, a unit is tried before it is put off. Not thread-safe. */
final class Patience {
  /** Each of them reads the object and writes it; more of them would be a siege. */
  static final int ROUNDS = 6;

  private final Ticker ticker;
  private final long since;
  private final Duration limit;
  private int rounds;

  Patience(Ticker ticker, Duration limit) {
    this.ticker = ticker;
    this.since = ticker.nanos();
    this.limit = limit;
  }

  /** Whether what is left is for the write: half of the time has passed. */
  boolean isHalfOver() {
    return ticker.nanos() - since >= limit.toNanos() / 2;
  }

  /**
   * Whether there is another round; it is counted.
   *
   * @throws InterruptedException if the caller has been interrupted: stores answer even then
   */
  boolean lasts() throws InterruptedException {
    Pause.endIfInterrupted();
    return rounds++ < ROUNDS && ticker.nanos() - since < limit.toNanos();
  }
}
