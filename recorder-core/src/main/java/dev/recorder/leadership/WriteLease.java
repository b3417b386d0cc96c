package dev.recorder.leadership;

import dev.recorder.time.Ticker;

/**
 * The time until which this host may <em>start</em> writes. Written by the coordinator's thread,
 * read by any.
 *
 * <p>The lease gives order, not safety. A write that outlives it is harmless, because each write
 * has its own condition.
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

  /** Returns the nanoseconds until the lease ends; not positive once it has ended. */
  public long nanosLeft() {
    return until - ticker.nanos();
  }

  /** Returns the end to which the lease was last extended, even if it was ended since. */
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
