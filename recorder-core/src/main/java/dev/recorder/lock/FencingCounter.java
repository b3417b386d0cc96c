package dev.recorder.lock;

/** Counts fencing tokens outside of the server that grants the locks. Thread-safe. */
@FunctionalInterface
public interface FencingCounter {
  /**
   * Returns a number greater than any that any process has received for this name before this call.
   *
   * <p>Called after the lock's key is set and before the lease is granted, within the key's expiry.
   * A later answer is useless, so the time-out should be well below the expiry. An implementation
   * may react to an interrupt or keep it pending. The lock's caller sees the interrupt when the
   * counter returns or fails.
   *
   * @throws LockException if no number can be drawn; the lock is then given back
   */
  long next(String name);
}
