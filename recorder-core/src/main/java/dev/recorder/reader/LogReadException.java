package dev.recorder.reader;

import java.io.Serial;

/** A log cannot be read further. The message names the object or position, and the remedy. */
public final class LogReadException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final LogReadErrorKind kind;
  private final boolean temporary;

  /** The kind of failure. */
  public enum LogReadErrorKind {
    /** The store gives no usable answer. A later attempt may succeed. */
    UNREACHABLE,
    /** Credentials or a right are missing. */
    RIGHTS,
    /** A slot is missing although later ones exist, or existed. */
    MISSING,
    /** The object under a slot's key is not the one that was written. */
    DAMAGED,
    /** The bucket holds another log, or none. */
    FOREIGN,
    NO_SUCH_ROW,
    /** The calling thread was interrupted; its interrupt flag is still set. */
    INTERRUPTED
  }

  LogReadException(LogReadErrorKind kind, String message) {
    this(kind, message, false);
  }

  /**
   * A failure of the store.
   *
   * @param temporary whether a later attempt may succeed without an intervention
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
