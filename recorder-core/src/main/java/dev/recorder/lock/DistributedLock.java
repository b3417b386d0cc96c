package dev.recorder.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * A lock that at most one process holds, by name.
 *
 * <p>No {@link Lock}: it can be lost while it is held, and so gives a {@link Lease} that says so.
 * Not re-entrant: who holds it and asks again is one more contender. Thread-safe.
 */
public interface DistributedLock {
  /** How a kind tells the lock from others. */
  String name();

  /**
   * Takes the lock if it is free.
   *
   * @return empty if somebody has it
   * @throws LockException if that could not be determined, or not within the kind's own time-out
   */
  Optional<Lease> tryAcquire();

  /**
   * Takes the lock, waiting for it.
   *
   * @param limit zero or less: as {@link #tryAcquire()}
   * @return empty if it did not become free; a quarter of a second may have been added to the limit
   * @throws InterruptedException within a quarter of a second of the interrupt; nothing is held
   *     then
   * @throws LockException as {@link #tryAcquire()} does
   */
  Optional<Lease> tryAcquire(Duration limit) throws InterruptedException;

  /**
   * This lock for code that knows no other. Not re-entrant; without conditions; {@code unlock} says
   * that the work was done, and throws {@link LeaseLostException} if the lock was lost before. What
   * one of them has locked another cannot unlock.
   */
  default Lock asLock() {
    return new JavaLock(this);
  }

  /** As {@link #tryAcquire(Duration)}, without an end. */
  default Lease acquire() throws InterruptedException {
    while (true) {
      Optional<Lease> lease = tryAcquire(Duration.ofHours(1));
      if (lease.isPresent()) {
        return lease.get();
      }
    }
  }
}
