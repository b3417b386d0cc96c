package dev.recorder.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * A named lock that at most one process holds.
 *
 * <p>It is not a {@link Lock}, since it can be lost while it is held. It gives a {@link Lease},
 * which reports the loss. Not re-entrant: a holder that requests the lock again is another
 * contender. Thread-safe.
 */
public interface DistributedLock {
  /** The name, which identifies the lock within its kind. */
  String name();

  /**
   * Takes the lock if it is free.
   *
   * @return empty if another holder has the lock
   * @throws LockException if the outcome could not be determined within the kind's own time-out
   */
  Optional<Lease> tryAcquire();

  /**
   * Takes the lock, waiting until it is free.
   *
   * @param limit zero or less: as {@link #tryAcquire()}
   * @return empty if the lock did not become free; may return up to a quarter of a second after the
   *     limit
   * @throws InterruptedException within a quarter of a second of the interrupt; the lock is not
   *     held then
   * @throws LockException as {@link #tryAcquire()}
   */
  Optional<Lease> tryAcquire(Duration limit) throws InterruptedException;

  /**
   * This lock as a {@link Lock}: not re-entrant, without conditions. {@code unlock} marks the work
   * as done, and throws {@link LeaseLostException} if the lock was lost before. A lock taken
   * through one such object cannot be unlocked through another.
   */
  default Lock asLock() {
    return new JavaLock(this);
  }

  /** As {@link #tryAcquire(Duration)}, without a limit. */
  default Lease acquire() throws InterruptedException {
    while (true) {
      Optional<Lease> lease = tryAcquire(Duration.ofHours(1));
      if (lease.isPresent()) {
        return lease.get();
      }
    }
  }
}
