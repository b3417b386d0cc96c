package dev.recorder.audit.postgres;

/** What becomes of a read that somebody's lock keeps waiting. */
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
