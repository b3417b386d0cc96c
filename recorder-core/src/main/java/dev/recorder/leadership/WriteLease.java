package dev.recorder.leadership;

import dev.recorder.time.Ticker;

/**
 * Until when this machine may <em>start</em> writes. Written by the coordinator's thread, read by
 * any.
 *
 * <p>It gives order, not safety: a write that outlives it is harmless, because each write carries
 * its own condition.
 */
public final class WriteLease {
  private final Ticker ticker;
  private volatile long until;
  private volatile long renewed;

  public WriteLease(Ticker ticker) {
    this.ticker = ticker;
    this.until = ticker.nanos();
    this.renewed = until;
  }

  public boolean isAlive() {
    return ticker.nanos() - until < 0;
  }

  /** For how long it lasts from now on; not positive once it has ended. */
  public long nanosLeft() {
    return until - ticker.nanos();
  }

  /** Up to when it was last extended, whether or not it was ended since. */
  public long lastExtendedTo() {
    return renewed;
  }

  void extendTo(long untilNanos) {
    until = untilNanos;
    renewed = untilNanos;
  }

  void end() {
    until = ticker.nanos();
  }
}
