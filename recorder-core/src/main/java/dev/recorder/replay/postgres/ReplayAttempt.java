package dev.recorder.replay.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Steps of a transaction that are taken back if they fail for what is in the log. */
final class ReplayAttempt {
  private final Connection connection;
  private final Predicate<SQLException> isExpected;

  /**
   * Steps of which others failures are thrown.
   *
   * @param isExpected what a step may fail for
   */
  ReplayAttempt(Connection connection, Predicate<SQLException> isExpected) {
    this.connection = connection;
    this.isExpected = isExpected;
  }

  /** A step that may be taken back. */
  @FunctionalInterface
  interface Step {
    void take() throws SQLException;
  }

  /** Why a step failed, of which nothing is left then; empty if it is done. */
  Optional<SQLException> failure(Step step) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      step.take();
    } catch (SQLException e) {
      if (!isExpected.test(e)) {
        throw e;
      }
      connection.rollback(before);
      return Optional.of(e);
    }
    connection.releaseSavepoint(before);
    return Optional.empty();
  }

  boolean isDone(Step step) throws SQLException {
    return failure(step).isEmpty();
  }

  /** Of the session or the server: resources, an operator's doing, files, bugs. */
  private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "40", "53", "57", "58", "XX");

  /**
   * Whether a statement failed for what it was given, and so would again: not for the session, the
   * server, or somebody else who is in the way.
   */
  static boolean isLasting(SQLException e) {
    DatabaseErrorKind kind = SqlStates.kindOf(e);
    return (kind == DatabaseErrorKind.FAILED || kind == DatabaseErrorKind.RIGHTS)
        && !OF_THE_SERVER.contains(String.valueOf(e.getSQLState()).substring(0, 2));
  }
}
