package dev.recorder.lock;

import org.jspecify.annotations.Nullable;

/**
 * A lock service could not carry out a request. The lock was then not granted, or is given back in
 * the way of its kind.
 */
public class LockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of failure, which decides the reaction. */
  public enum Kind {
    /** The server cannot be reached or did not answer in time; a retry may succeed. */
    UNREACHABLE,
    /** Wrong credentials, or a right is missing. */
    RIGHTS,
    /** The server or its contents cannot be used. */
    UNUSABLE,
    /** A statement failed. */
    FAILED,
    LOST
  }

  private final String lock;
  private final Kind kind;
  private final String problem;

  /**
   * Puts the lock's name before the message.
   *
   * @param message what failed, and the remedy
   */
  public LockException(String lock, Kind kind, String message, @Nullable Throwable cause) {
    super("lock " + lock + ": " + message, cause);
    this.lock = lock;
    this.kind = kind;
    this.problem = message;
  }

  public LockException(String lock, Kind kind, String message) {
    this(lock, kind, message, null);
  }

  public String lock() {
    return lock;
  }

  /** Returns the message without the lock's name, for failures that do not concern one lock. */
  public String problem() {
    return problem;
  }

  public Kind kind() {
    return kind;
  }
}
