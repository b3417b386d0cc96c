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

  public WriteLease(Ticker ticker) {
    this.ticker = ticker;
    this.until = ticker.nanos();
  }

  public boolean isAlive() {
    return ticker.nanos() - until < 0;
  }

  void extendTo(long untilNanos) {
    until = untilNanos;
  }

  void end() {
    until = ticker.nanos();
  }
}
