package dev.recorder.requests.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes sure that a host processes one possible poison message at a time: if the host dies again,
 * it was that one. Thread-safe; for all recorders of a host.
 *
 * <p>A caller waits a moment for the permit, and gets it before a worker that has just released it.
 * Otherwise a recorder with many of them would keep it from the others.
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

  /** For the first claim of a pass; may take a moment. */
  Permit ask() throws InterruptedException {
    // Unlike tryAcquire() without a time, this one is fair.
    return new Permit(one.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** For a claim that takes no poison messages anyway. */
  Permit none() {
    return new Permit(false);
  }

  /** Thread-safe; may be closed more than once. */
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
