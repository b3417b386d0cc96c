package dev.recorder.lock;

/** Counts fencing tokens, outside of the server that grants the locks. Thread-safe. */
@FunctionalInterface
public interface FencingCounter {
  /**
   * A number greater than every one that was asked for before this call, for that name, by anybody.
   *
   * <p>Called while the lock's key is set but the lease is not granted yet, and within its expiry:
   * an answer that comes later is of no use, so it should have a time-out well below. Of an
   * interrupt it may take note by keeping it; whoever asked for the lock then learns of it, when
   * the counter returns or fails.
   *
   * @throws LockException if there is none; the lock is then given back
   */
  long next(String name);
}
