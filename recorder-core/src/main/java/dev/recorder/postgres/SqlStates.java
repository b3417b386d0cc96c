package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** The meaning of SQLSTATEs. */
public final class SqlStates {
  public static final String WAITED_FOR_LOCK = "55P03";
  public static final String UNIQUE_VIOLATION = "23505";

  /** Lock not available, serialization failure, deadlock, statement time-out or cancel. */
  private static final Set<String> BUSY = Set.of(WAITED_FOR_LOCK, "40001", "40P01", "57014");

  /** Feature not supported, such as a cached plan whose result type has changed. */
  public static final String CACHED_PLAN = "0A000";

  public static final String NO_RIGHT = "42501";

  static final String READ_ONLY = "25006";

  /** An object in the wrong state, such as a published table without a replica identity. */
  static final String NOT_PREPARED = "55000";

  private SqlStates() {}

  /**
   * Returns whether the login was refused: wrong password, no such role, or a role that may not log
   * in.
   */
  static boolean isLoginRefused(SQLException e) {
    return String.valueOf(e.getSQLState()).startsWith("28");
  }

  public static DatabaseErrorKind kindOf(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (BUSY.contains(state)) {
      return DatabaseErrorKind.BUSY;
    } else if (isLoginRefused(e) || state.equals(NO_RIGHT)) {
      return DatabaseErrorKind.RIGHTS;
    } else if (state.equals("3D000") || state.equals(NOT_PREPARED)) {
      return DatabaseErrorKind.UNUSABLE;
    } else if (state.startsWith("08")
        || state.startsWith("57P")
        || state.equals("53300")
        || state.equals("25P03")
        || state.isEmpty()) {
      return DatabaseErrorKind.UNREACHABLE;
    }
    return DatabaseErrorKind.FAILED;
  }

  /**
   * Returns whether the server's table of locks is full, which only its configuration can change.
   */
  public static boolean isOutOfLocks(SQLException e) {
    ServerErrorMessage said =
        e instanceof PSQLException server ? server.getServerErrorMessage() : null;
    return "53200".equals(e.getSQLState())
        && said != null
        && String.valueOf(said.getHint()).contains("max_locks_per_transaction");
  }

  /**
   * No such table or column, no operator for the column's type, or a type that cannot be converted.
   */
  private static final Set<String> CHANGED_TABLE =
      Set.of("42P01", "42703", "42883", "42804", "42846", "42821");

  /**
   * Returns whether a statement failed because of its table: the table is locked or changed, or a
   * right was revoked. Statements on other tables are not affected.
   */
  public static boolean isOfOneTable(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.equals(WAITED_FOR_LOCK) || state.equals(NO_RIGHT) || CHANGED_TABLE.contains(state);
  }

  /**
   * Returns whether the session can still be used after {@code e}. A session with a prepared
   * statement for a table whose columns have changed cannot: it would fail repeatedly.
   */
  public static boolean sessionSurvives(SQLException e) {
    return !CACHED_PLAN.equals(e.getSQLState()) && DatabaseException.of(e).sessionSurvives();
  }

  public static String describe(SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    return e.getSQLState() == null ? message : message + " (SQLSTATE " + e.getSQLState() + ")";
  }
}
