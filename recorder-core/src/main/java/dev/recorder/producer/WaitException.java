package dev.recorder.producer;

/**
 * Why it makes no sense to wait for a transaction, or to wait on. It says nothing against the
 * transaction itself: unless it was rolled back, its rows wait in the table and will be recorded.
 */
public final class WaitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is in the way. */
  public enum Reason {
    /** The transaction has not ended; it may be the caller's own: commit first. */
    OPEN,
    /** It was rolled back, and is never recorded. */
    ROLLED_BACK,
    /** The database does not know its number, or the log stands in those of another server. */
    UNKNOWN_TRANSACTION,
    /** There is no log of this name. */
    NO_SUCH_LOG,
    /** Time is up, and no machine has shown a sign of life for the log in the last seconds. */
    NOBODY_RUNS,
    /** Time is up, and an operator has paused the log. */
    PAUSED,
    /** Time is up, and the database cannot be reached or does not answer. */
    NO_ANSWER,
    /** The database is one that cannot be asked: a right or the function is missing, a standby. */
    REFUSED,
    /** As many are waiting as may. */
    CROWDED,
    /** The waits were closed. */
    CLOSED
  }

  private final Reason reason;

  /**
   * Made by whoever waits for others.
   *
   * @param message names the log or the transaction, and the remedy
   */
  public WaitException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** For one who waits, of what somebody else was told. */
  public WaitException(WaitException told) {
    super(told.getMessage(), told);
    this.reason = told.reason;
  }

  public Reason reason() {
    return reason;
  }
}
