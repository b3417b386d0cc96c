package dev.recorder.replay.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Steps of a transaction that are rolled back if they fail because of the log's content. */
final class SavepointAttempt {
  private final Connection connection;
  private final Predicate<SQLException> isExpected;

  /** Creates an attempt, which throws failures that are not due to the log's content. */
  SavepointAttempt(Connection connection) {
    this(connection, SavepointAttempt::isLasting);
  }

  SavepointAttempt(Connection connection, Predicate<SQLException> isExpected) {
    this.connection = connection;
    this.isExpected = isExpected;
  }

  /** A step that may be rolled back. */
  @FunctionalInterface
  interface Step {
    void take() throws SQLException;
  }

  /** Runs a step. Returns why the step failed and was rolled back; empty if it succeeded. */
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

  /**
   * Classes of failures of the session or the server: resources, an operator's action, files, bugs.
   */
  private static final Set<String> OF_THE_SERVER = Set.of("08", "25", "40", "53", "57", "58", "XX");

  /**
   * Returns whether a statement failed because of its input, so that it would fail again, and not
   * because of the session, the server or another session.
   */
  static boolean isLasting(SQLException e) {
    DatabaseErrorKind kind = SqlStates.kindOf(e);
    return (kind == DatabaseErrorKind.FAILED || kind == DatabaseErrorKind.RIGHTS)
        && !OF_THE_SERVER.contains(String.valueOf(e.getSQLState()).substring(0, 2));
  }
}
