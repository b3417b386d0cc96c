package dev.recorder.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * A named lock that at most one process holds.
 *
 * <p>It is no {@link Lock}, because it can be lost while it is held: it gives a {@link Lease},
 * which reports the loss. Not re-entrant: a holder that asks again is one more contender.
 * Thread-safe.
 */
public interface DistributedLock {
  /** The name, which identifies the lock within its kind. */
  String name();

  /**
   * Takes the lock if it is free.
   *
   * @return empty if another holder has it
   * @throws LockException if the outcome could not be determined within the kind's own time-out
   */
  Optional<Lease> tryAcquire();

  /**
   * Takes the lock, waiting until it is free.
   *
   * @param limit zero or less: as {@link #tryAcquire()}
   * @return empty if it did not become free; may take a quarter of a second longer than the limit
   * @throws InterruptedException within a quarter of a second of the interrupt; nothing is held
   *     then
   * @throws LockException as {@link #tryAcquire()} does
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
