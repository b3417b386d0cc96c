package dev.recorder.lock;

import java.time.Duration;

/**
 * Is told what happens to locks, for metrics and logs. Called on the thread on which it happens,
 * after it happened; must be short. What it throws is ignored.
 */
public interface LockListener {
  /** Listens to nothing. */
  LockListener NONE = new LockListener() {};

  /** A lease was granted. */
  default void acquired(String lock, Duration waited) {}

  /** Somebody else had the lock. */
  default void notAcquired(String lock, Duration waited) {}

  /** A confirmation failed or is overdue; the lease is still ours for {@code remaining}. */
  default void inDoubt(String lock, Duration remaining) {}

  /** A lease that was in doubt has been confirmed. */
  default void confirmed(String lock) {}

  /** A lease was lost. */
  default void lost(String lock, Loss loss) {}

  /** A lease was closed by its holder. */
  default void released(String lock, Duration held) {}
}
