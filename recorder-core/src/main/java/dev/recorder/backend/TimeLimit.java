package dev.recorder.backend;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread that began it when a unit takes too long; if that does not help within
 * {@link #GRACE}, ends its session, so that at least the entity is free. Closed in any case before
 * the thread does anything else: no interrupt comes later.
 */
final class TimeLimit implements AutoCloseable {
  static final Duration GRACE = Duration.ofSeconds(5);

  private final Thread thread = Thread.currentThread();
  private final Runnable lastResort;
  private final Future<?> interrupt;
  private final Future<?> abort;
  private boolean over;
  private boolean closed;

  TimeLimit(ScheduledExecutorService timer, Duration limit, Runnable lastResort) {
    this.lastResort = lastResort;
    this.interrupt = timer.schedule(this::interrupt, limit.toNanos(), TimeUnit.NANOSECONDS);
    this.abort = timer.schedule(this::abort, limit.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void interrupt() {
    if (!closed) {
      over = true;
      thread.interrupt();
    }
  }

  private synchronized void abort() {
    if (!closed) {
      lastResort.run();
    }
  }

  /** Whether the interrupt came from here. */
  synchronized boolean isOver() {
    return over;
  }

  @Override
  public synchronized void close() {
    closed = true;
    interrupt.cancel(false);
    abort.cancel(false);
    if (over) {
      var unused = Thread.interrupted(); // It was meant for the unit, which is over.
    }
  }
}
