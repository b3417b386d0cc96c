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
 * Takes the triggers of a capture off a table that does not belong to it, such as a partition that
 * was detached, if this role owns the table. They do nothing there, so nothing is lost if not.
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
   * Whether they are gone now; if not, the table is another's, or in use.
   *
   * @throws DatabaseException if the session cannot be used any more
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
