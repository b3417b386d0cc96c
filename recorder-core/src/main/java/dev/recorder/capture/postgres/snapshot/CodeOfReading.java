package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.script.ForeignCode;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Checks the functions that the server may run, with the rights of the reading role, when a table
 * is read.
 *
 * <p>A snapshot locks rows, so a role with only the right to read cannot take it. Constraints are
 * not evaluated while {@code constraint_exclusion} is off.
 */
final class CodeOfReading {
  private static final Sql FOREIGN = Sql.of(ForeignCode.ofReading(":table"));

  private CodeOfReading() {}

  /**
   * Refuses the table if the owner of such a function could gain rights by it. Must be called while
   * the table is locked against new indexes.
   *
   * @param table its oid
   * @throws RefusedCaptureException if an owner would gain rights
   */
  static void require(Connection connection, TableName name, long table)
      throws SQLException, RefusedCaptureException {
    Optional<String> why;
    try (SqlStatement statement = FOREIGN.on(connection)) {
      why = statement.set("table", table).first(row -> row.getString(1));
    }
    if (why.isPresent()) {
      throw new RefusedCaptureException(
          "the rows of table %s cannot be handed over: %s".formatted(name, why.get()));
    }
  }
}
