package dev.recorder.postgres;

import java.sql.SQLException;

/**
 * A failure of the database or of its connection. The message names the subject and the remedy, and
 * has no secrets.
 */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of failure, which decides whether to wait, and the exit code. */
  public enum DatabaseErrorKind {
    /** The server cannot be reached, or the connection is lost: wait and try again. */
    UNREACHABLE,
    /** Another session blocks the statement: try later. */
    BUSY,
    /** Wrong credentials, or a right is missing. */
    RIGHTS,
    /** The server or database cannot be used. */
    UNUSABLE,
    /** A statement failed: a bug, or a changed table. */
    FAILED
  }

  private final DatabaseErrorKind kind;
  private final boolean standby;

  public DatabaseException(DatabaseErrorKind kind, String message) {
    this(kind, message, false);
  }

  private DatabaseException(DatabaseErrorKind kind, String message, boolean standby) {
    super(message);
    this.kind = kind;
    this.standby = standby;
  }

  public DatabaseException(DatabaseErrorKind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.standby = false;
  }

  public DatabaseErrorKind kind() {
    return kind;
  }

  /** Returns whether the session can still be used. */
  public boolean sessionSurvives() {
    return kind == DatabaseErrorKind.BUSY
        || kind == DatabaseErrorKind.RIGHTS
        || kind == DatabaseErrorKind.FAILED;
  }

  static DatabaseException standby(String server) {
    return new DatabaseException(
        DatabaseErrorKind.UNUSABLE,
        server + " is a standby server (read-only); give the primary's endpoint",
        true);
  }

  /**
   * Returns whether the failure may pass within a minute, although it usually does not. This is so
   * in three cases. The session could not be encrypted as required, which a server without memory
   * for a process reports as well. The server is a standby, or was demoted, as a primary's name may
   * lead to a standby during a failover. The server has no disk space, memory or connections left.
   */
  public boolean mayPassSoon() {
    String state = getCause() instanceof SQLException e ? String.valueOf(e.getSQLState()) : "";
    boolean isOfEncryption = kind == DatabaseErrorKind.UNUSABLE && state.startsWith("08");
    return standby || isOfEncryption || state.startsWith("53") || state.equals(SqlStates.READ_ONLY);
  }

  /** The remedy for a read-only session. */
  public static final String READ_ONLY_REMEDY =
      ", by default_transaction_read_only of the role, the database or the server: reset it where"
          + " it was set";

  /** The remedy for a missing right on the recorder's own objects. */
  public static final String RIGHTS_REMEDY =
      "; 'recorder check --online' prints the rights that are missing";

  private static final String IDENTITY_REMEDY =
      "; if a publication has the table, let its owner run: ALTER TABLE ... REPLICA IDENTITY FULL";

  /** Makes the failure for an exception of the driver, classified by its SQLSTATE. */
  public static DatabaseException of(SQLException e) {
    String remedy =
        SqlStates.READ_ONLY.equals(e.getSQLState())
            ? READ_ONLY_REMEDY
            : SqlStates.NOT_PREPARED.equals(e.getSQLState()) ? IDENTITY_REMEDY : "";
    return new DatabaseException(SqlStates.kindOf(e), SqlStates.describe(e) + remedy, e);
  }
}
