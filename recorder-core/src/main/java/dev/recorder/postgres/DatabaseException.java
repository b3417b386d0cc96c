package dev.recorder.postgres;

import java.sql.SQLException;

/**
 * The database could not do what was asked, in terms an operator can act on.
 *
 * <p>Its message names the thing and the remedy and holds no secret.
 */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of trouble, which decides whether to wait and which exit code to give. */
  public enum DatabaseErrorKind {
    /** Cannot be reached, or the connection is lost: wait and try again. */
    UNREACHABLE,
    /** Somebody else is in the way: try later. */
    BUSY,
    /** Wrong credentials, or a right is missing. */
    RIGHTS,
    /** The server or the database is not one that can be used. */
    UNUSABLE,
    /** A statement failed; a bug here or a changed table there. */
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

  /** Whether a session on which it happened can still be used. */
  public boolean sessionSurvives() {
    return kind == DatabaseErrorKind.BUSY
        || kind == DatabaseErrorKind.RIGHTS
        || kind == DatabaseErrorKind.FAILED;
  }

  /** The server is a standby. */
  static DatabaseException standby(String server) {
    return new DatabaseException(
        DatabaseErrorKind.UNUSABLE,
        server + " is a standby server (read-only); give the primary's endpoint",
        true);
  }

  /**
   * Whether it may be over within a minute, though it mostly is not: a session could not be
   * encrypted as it has to be, which a server without memory for a process says as well; the server
   * is a standby, to which a primary's name may lead while they change their roles, or a primary no
   * more; or it has no disk, memory or connections left.
   */
  public boolean mayPassSoon() {
    String state = getCause() instanceof SQLException e ? String.valueOf(e.getSQLState()) : "";
    boolean isOfEncryption = kind == DatabaseErrorKind.UNUSABLE && state.startsWith("08");
    return standby || isOfEncryption || state.startsWith("53") || state.equals(SqlStates.READ_ONLY);
  }

  /** For whoever has met a session that may not write. */
  public static final String READ_ONLY_REMEDY =
      ", by default_transaction_read_only of the role, the database or the server: reset it where"
          + " it was set";

  /** For whoever lacks a right on what is the recorder's own. */
  public static final String RIGHTS_REMEDY =
      "; 'recorder check --online' prints the rights that are missing";

  private static final String IDENTITY_REMEDY =
      "; if a publication has the table, let its owner run: ALTER TABLE ... REPLICA IDENTITY FULL";

  /** Sorts an exception of the driver by its SQLSTATE. */
  public static DatabaseException of(SQLException e) {
    String remedy =
        SqlStates.READ_ONLY.equals(e.getSQLState())
            ? READ_ONLY_REMEDY
            : SqlStates.NOT_PREPARED.equals(e.getSQLState()) ? IDENTITY_REMEDY : "";
    return new DatabaseException(SqlStates.kindOf(e), SqlStates.describe(e) + remedy, e);
  }
}
