package dev.recorder.replay;

import java.io.Serial;

/** A log cannot be replayed into a database. The message names the subject and the remedy. */
public final class ReplayException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final ReplayErrorKind kind;

  /** The kind of failure. */
  public enum ReplayErrorKind {
    /** Another session replays this log into this database. */
    BUSY,
    /** The database has a table of this name that no replay made, or a position in another log. */
    OTHERS,
    /** The role lacks a right in the database. */
    RIGHTS,
    /** A setting of the database server must be changed. */
    SETTING
  }

  public ReplayException(ReplayErrorKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public ReplayErrorKind kind() {
    return kind;
  }
}
