package dev.recorder.lock;

import java.time.Duration;

/**
 * Receives lock events for metrics and logs, on the thread where they happen, after they happened.
 * Must be short. Exceptions are ignored.
 */
public interface LockListener {
  /** Ignores all events. */
  LockListener NONE = new LockListener() {};

  default void acquired(String lock, Duration waited) {}

  /** Another holder had the lock. */
  default void notAcquired(String lock, Duration waited) {}

  /** A confirmation failed or is overdue; the lease is still held for {@code remaining}. */
  default void inDoubt(String lock, Duration remaining) {}

  /** A lease in doubt was confirmed. */
  default void confirmed(String lock) {}

  default void lost(String lock, Loss loss) {}

  /** A lease was closed by its holder. */
  default void released(String lock, Duration held) {}
}
