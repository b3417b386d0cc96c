package dev.recorder.requests.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Interrupts the thread that created it when a unit takes too long. If that has no effect within
 * {@link #GRACE}, it ends the thread's session and releases its permit, so that a hanging handler
 * blocks no other worker. It is closed before the thread does anything else, and no interrupt
 * follows.
 */
final class TimeLimit implements AutoCloseable {
  static final Duration GRACE = Duration.ofSeconds(5);

  private final Thread thread = Thread.currentThread();
  private final ScheduledExecutorService timer;
  private final Runnable endSession;
  private final PoisonPermits.Permit permit;

  @GuardedBy("this")
  private Future<?> next;

  @GuardedBy("this")
  private boolean over;

  @GuardedBy("this")
  private boolean closed;

  /**
   * Starts the limit.
   *
   * @param permit of the thread, perhaps an empty one
   */
  TimeLimit(
      ScheduledExecutorService timer,
      Duration limit,
      Runnable endSession,
      PoisonPermits.Permit permit) {
    this.timer = timer;
    this.endSession = endSession;
    this.permit = permit;
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
      try {
        endSession.run();
      } finally {
        permit.close();
      }
    }
  }

  /** Whether this has interrupted the thread. */
  synchronized boolean isOver() {
    return over;
  }

  @Override
  public synchronized void close() {
    closed = true;
    next.cancel(false);
    if (over) {
      var unused = Thread.interrupted(); // The interrupt was meant for the unit, which is over.
    }
  }
}
