package dev.recorder.lock;

import java.time.Duration;

/**
 * Receives events of locks for metrics and logs, after the event and on its thread. Methods must be
 * short. Exceptions are ignored.
 */
public interface LockListener {
  /** Ignores all events. */
  LockListener NONE = new LockListener() {};

  default void acquired(String lock, Duration waited) {}

  /** The lock was not acquired, since another holder had it. */
  default void notAcquired(String lock, Duration waited) {}

  /** A confirmation failed or is overdue; the lease is still held for {@code remaining}. */
  default void inDoubt(String lock, Duration remaining) {}

  /** A lease in doubt was confirmed. */
  default void confirmed(String lock) {}

  default void lost(String lock, Loss loss) {}

  /** The holder closed a lease. */
  default void released(String lock, Duration held) {}
}
