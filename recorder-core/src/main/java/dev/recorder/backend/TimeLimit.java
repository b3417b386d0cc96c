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
  private final ScheduledExecutorService timer;
  private final Runnable lastResort;
  private Future<?> next;
  private boolean over;
  private boolean closed;

  TimeLimit(ScheduledExecutorService timer, Duration limit, Runnable lastResort) {
    this.timer = timer;
    this.lastResort = lastResort;
    this.next = timer.schedule(this::interrupt, limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void interrupt() {
    if (!closed) {
      over = true;
      thread.interrupt();
      next = timer.schedule(this::abort, GRACE.toNanos(), TimeUnit.NANOSECONDS);
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
    next.cancel(false);
    if (over) {
      var unused = Thread.interrupted(); // It was meant for the unit, which is over.
    }
  }
}
