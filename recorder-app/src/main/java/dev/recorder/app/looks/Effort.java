package dev.recorder.app.looks;

import dev.recorder.time.ProcessorTime;
import dev.recorder.time.Ticker;

/**
 * What a look at the database takes of processors, here and there: at most as long as it lasts, and
 * about eight times what this thread takes for it, since the server has six times that to do. So
 * waiting is no effort: for a processor of a busy machine, for somebody's lock. Since it may be the
 * server that works, it is taken for a tenth of how long it lasts at least. Of one thread.
 */
public final class Effort {
  private static final int WITH_THE_SERVER = 8;
  private static final int LEAST_PART = 10;

  private final long begun;
  private final long processorBefore;

  private Effort(long begun, long processorBefore) {
    this.begun = begun;
    this.processorBefore = processorBefore;
  }

  /** A look begins, of this thread. */
  public static Effort begin(Ticker ticker) {
    return new Effort(ticker.nanos(), ProcessorTime.ofThisThread());
  }

  /** How long it has lasted, in nanoseconds. */
  public long lasted(long now) {
    return now - begun;
  }

  /** What it has taken by now, in nanoseconds. */
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
