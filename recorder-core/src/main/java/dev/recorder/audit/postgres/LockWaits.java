package dev.recorder.audit.postgres;

/** Decides about a read that waits for a lock of another session. */
@FunctionalInterface
public interface LockWaits {
  /** Lets the read fail. */
  LockWaits NONE = (times, why) -> false;

  /**
   * Whether to repeat a statement that has given up waiting for a lock.
   *
   * @param times how often in a row the statement has given up
   * @param why the reason, with the lock's holder
   */
  boolean goesOn(int times, String why);
}
