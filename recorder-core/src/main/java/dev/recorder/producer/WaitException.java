package dev.recorder.producer;

/**
 * A wait for a transaction is useless, or could not continue. The transaction itself is not
 * affected: unless it was rolled back, its rows are in the table and will be recorded.
 */
public final class WaitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public enum Reason {
    /** The transaction has not ended. It may be the caller's own, which must be committed first. */
    OPEN,
    /** It was rolled back and will never be recorded. */
    ROLLED_BACK,
    /**
     * The database does not know the transaction's number, or the log has another server's numbers.
     */
    UNKNOWN_TRANSACTION,
    NO_SUCH_LOG,
    /**
     * The time limit has passed, and no host has shown activity for the log in the last seconds.
     */
    NOBODY_RUNS,
    /** The time limit has passed, and an operator has paused the log. */
    PAUSED,
    /** The time limit has passed, and the database cannot be reached or does not answer. */
    NO_ANSWER,
    /** The query failed: a right or the function is missing, or the server is a standby. */
    REFUSED,
    /** Too many threads are waiting. */
    CROWDED,
    CLOSED
  }

  private final Reason reason;

  /**
   * Made by the thread that waits for all waiting threads.
   *
   * @param message names the log or the transaction, and the remedy
   */
  public WaitException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Made for one waiting thread, with the failure of the shared wait as its cause. */
  public WaitException(WaitException told) {
    super(told.getMessage(), told);
    this.reason = told.reason;
  }

  public Reason reason() {
    return reason;
  }
}
