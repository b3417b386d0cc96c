package dev.recorder.lock;

/** Counts fencing tokens outside of the server that grants the locks. Thread-safe. */
@FunctionalInterface
public interface FencingCounter {
  /**
   * A number greater than all that any process requested for this name before this call.
   *
   * <p>Called after the lock's key is set and before the lease is granted, within the key's expiry.
   * A later answer is useless, so the time-out should be well below the expiry. An implementation
   * may react to an interrupt or keep it pending; the caller that asked for the lock sees it when
   * the counter returns or fails.
   *
   * @throws LockException if there is no number; the lock is then given back
   */
  long next(String name);
}
