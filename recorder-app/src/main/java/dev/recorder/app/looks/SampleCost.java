package dev.recorder.app.looks;

import dev.recorder.time.ProcessorTime;
import dev.recorder.time.Ticker;

/**
 * Estimates the processor time of one sample, on this host and on the server. The server needs
 * about six times the processor time of this thread. To be safe, the estimate is eight times this
 * time. It is at most the elapsed time and at least a tenth of it, since the server may work alone.
 * Waiting for a processor or for a lock does not count. For one thread.
 */
public final class SampleCost {
  private static final int WITH_THE_SERVER = 8;
  private static final int LEAST_PART = 10;

  private final long begun;
  private final long processorBefore;

  private SampleCost(long begun, long processorBefore) {
    this.begun = begun;
    this.processorBefore = processorBefore;
  }

  /** Starts measuring the calling thread. */
  public static SampleCost begin(Ticker ticker) {
    return new SampleCost(ticker.nanos(), ProcessorTime.ofThisThread());
  }

  /** Returns the elapsed time, in nanoseconds. */
  public long lasted(long now) {
    return now - begun;
  }

  /** Returns the estimate, in nanoseconds. */
  public long nanos(long now) {
    return taken(lasted(now), processorBefore, ProcessorTime.ofThisThread());
  }

  static long taken(long lasted, long processorBefore, long processorNow) {
    return processorBefore == Long.MAX_VALUE
        ? lasted
        : Math.min(
            lasted,
            Math.max(lasted / LEAST_PART, WITH_THE_SERVER * (processorNow - processorBefore)));
  }
}
