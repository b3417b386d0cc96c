package dev.recorder.replay;

import java.io.Serial;

/** A log cannot be replayed into a database. The message names the thing and the remedy. */
public final class ReplayException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final ReplayErrorKind kind;

  /** What is wrong. */
  public enum ReplayErrorKind {
    /** Somebody else replays this log into this database. */
    BUSY,
    /** The database has a table of that name which no replay made, or stands in another log. */
    OTHERS,
    /** The role may not do in the database what it has to. */
    RIGHTS,
    /** A setting of the database's server has to be changed. */
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
