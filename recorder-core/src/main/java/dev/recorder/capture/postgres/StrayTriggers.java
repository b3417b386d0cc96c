package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.script.CaptureTriggers;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Drops a capture's triggers from a table that does not belong to the capture, such as a detached
 * partition, if this role owns the table. If they cannot be dropped, nothing is lost, since such
 * triggers do nothing.
 */
final class StrayTriggers {
  private final Connection connection;
  private final CaptureNames names;
  private final Sql owned;

  StrayTriggers(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
    this.owned = Sql.in(names.schemas(), OWNED);
  }

  private static final String OWNED =
      """
      SELECT k.function_name FROM {captures} k
      JOIN pg_class c ON c.oid = :stray::oid AND pg_has_role(c.relowner, 'USAGE')
      WHERE k.recorder = :recorder AND k.captured = :captured
      """;

  /**
   * Drops the triggers. Returns false if another role owns the table, the table is in use, or the
   * server refuses the statement.
   *
   * @throws DatabaseException if the session is no longer usable
   */
  boolean takeOff(CaptureFinding finding) throws SQLException {
    Optional<String> function;
    try (SqlStatement statement = owned.on(connection)) {
      function =
          statement
              .setLongOrNull("stray", finding.stray())
              .set("recorder", finding.recorder())
              .set("captured", finding.table())
              .first(row -> row.getString(1));
    }
    return function.isPresent() && takeOff(finding, names.schemas().table(function.get()));
  }

  private boolean takeOff(CaptureFinding finding, String function) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String each : CaptureTriggers.disarming(function, finding.stray() + "::regclass")) {
        statement.execute(each);
      }
      transaction.commit();
      return true;
    } catch (SQLException e) {
      DatabaseException failure = DatabaseException.of(e);
      switch (failure.kind()) {
        case BUSY, RIGHTS, FAILED -> {
          return false;
        }
        default -> throw failure;
      }
    }
  }
}
