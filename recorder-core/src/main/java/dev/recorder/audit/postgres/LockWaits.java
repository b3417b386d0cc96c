package dev.recorder.audit.postgres;

/** What happens to a read that waits for somebody's lock. */
@FunctionalInterface
public interface LockWaits {
  /** It fails. */
  LockWaits NONE = (times, why) -> false;

  /**
   * Whether to wait on, asked each time that a statement has given up waiting.
   *
   * @param times how often in a row it has
   * @param why with who is in the way
   */
  boolean goesOn(int times, String why);
}
