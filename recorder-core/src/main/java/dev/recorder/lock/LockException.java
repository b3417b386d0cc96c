package dev.recorder.lock;

/**
 * A lock service could not do what was asked. Whether a lock was granted is known all the same: it
 * was not, or is given back as its kind says.
 */
public class LockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What to do about it. */
  public enum Kind {
    /** Cannot be reached or did not answer in time: try again. */
    UNREACHABLE,
    /** Wrong credentials, or a right is missing. */
    RIGHTS,
    /** The server, or what is in it, cannot be used. */
    UNUSABLE,
    /** A statement failed. */
    FAILED,
    /** The lease was lost. */
    LOST
  }

  private final String lock;
  private final Kind kind;
  private final String problem;

  /**
   * Names the lock before the message.
   *
   * @param message what failed, and the remedy
   */
  public LockException(String lock, Kind kind, String message, Throwable cause) {
    super("lock " + lock + ": " + message, cause);
    this.lock = lock;
    this.kind = kind;
    this.problem = message;
  }

  public LockException(String lock, Kind kind, String message) {
    super("lock " + lock + ": " + message);
    this.lock = lock;
    this.kind = kind;
    this.problem = message;
  }

  /** The lock's name. */
  public String lock() {
    return lock;
  }

  /** The message without the lock's name, where it is not about one lock. */
  public String problem() {
    return problem;
  }

  public Kind kind() {
    return kind;
  }
}
