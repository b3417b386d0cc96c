package dev.recorder.reader;

import java.io.Serial;

/** A log cannot be read on. The message names the object, or the position, and the remedy. */
public final class LogReadException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final LogReadErrorKind kind;
  private final boolean temporary;

  /** What is wrong. */
  public enum LogReadErrorKind {
    /** The store gives no answer, or none that helps; a later try may succeed. */
    UNREACHABLE,
    /** Credentials or a right are missing. */
    RIGHTS,
    /** A slot is not there, and later ones are, or were. */
    MISSING,
    /** What is under a slot's key is not what was written there. */
    DAMAGED,
    /** The bucket holds another log, or none. */
    FOREIGN,
    /** There is no such position. */
    NO_SUCH_ROW,
    /** The calling thread was interrupted; it still is. */
    INTERRUPTED
  }

  LogReadException(LogReadErrorKind kind, String message) {
    this(kind, message, false);
  }

  /**
   * One of a store that does not answer properly.
   *
   * @param temporary whether it may give a better one later, without anybody's doing
   */
  LogReadException(LogReadErrorKind kind, String message, boolean temporary) {
    super(message);
    this.kind = kind;
    this.temporary = temporary;
  }

  public LogReadErrorKind kind() {
    return kind;
  }

  boolean isTemporary() {
    return temporary;
  }
}
