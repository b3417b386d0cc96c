package dev.recorder.requests.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets a host process one possible poison message at a time. If the host dies again, that message
 * was the cause. Thread-safe; for all recorders of a host.
 *
 * <p>A caller waits a moment for the permit, and comes before a worker that has just released it.
 * Otherwise a recorder with many possible poison messages would keep the permit from the others.
 */
final class PoisonPermits {
  private static final Duration WAIT = Duration.ofMillis(50);

  private final Semaphore one = new Semaphore(1, true);
  private final Duration wait;

  PoisonPermits() {
    this(WAIT);
  }

  PoisonPermits(Duration wait) {
    this.wait = wait;
  }

  /** Returns a permit for the first claim of a pass; may wait a moment. */
  Permit ask() throws InterruptedException {
    // Fair, unlike tryAcquire() without a time.
    return new Permit(one.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** Returns an empty permit, for a claim that takes no poison messages. */
  Permit none() {
    return new Permit(false);
  }

  /** A permit; thread-safe, and may be closed more than once. */
  final class Permit implements AutoCloseable {
    private final AtomicBoolean had;

    private Permit(boolean had) {
      this.had = new AtomicBoolean(had);
    }

    boolean had() {
      return had.get();
    }

    @Override
    public void close() {
      if (had.compareAndSet(true, false)) {
        one.release();
      }
    }
  }
}
