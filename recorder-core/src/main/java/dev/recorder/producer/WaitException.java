package dev.recorder.producer;

/**
 * Why waiting for a transaction is useless, or could not continue. The transaction itself is not
 * affected: unless it was rolled back, its rows are in the table and will be recorded.
 */
public final class WaitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public enum Reason {
    /** The transaction has not ended; it may be the caller's own: commit first. */
    OPEN,
    /** It was rolled back and will never be recorded. */
    ROLLED_BACK,
    /** The database does not know its number, or the log counts in numbers of another server. */
    UNKNOWN_TRANSACTION,
    NO_SUCH_LOG,
    /**
     * The time is over, and no machine has shown a sign of life for the log in the last seconds.
     */
    NOBODY_RUNS,
    /** The time is over, and an operator has paused the log. */
    PAUSED,
    /** The time is over, and the database cannot be reached or does not answer. */
    NO_ANSWER,
    /** The database cannot be asked: a right or the function is missing, or it is a standby. */
    REFUSED,
    /** Too many threads are waiting. */
    CROWDED,
    CLOSED
  }

  private final Reason reason;

  /**
   * For the thread that waits on behalf of others.
   *
   * @param message names the log or the transaction, and the remedy
   */
  public WaitException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** For a waiting thread, with the failure of the shared wait as its cause. */
  public WaitException(WaitException told) {
    super(told.getMessage(), told);
    this.reason = told.reason;
  }

  public Reason reason() {
    return reason;
  }
}
