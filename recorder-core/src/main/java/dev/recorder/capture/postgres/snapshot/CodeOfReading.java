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
 * The functions that reading a table may run with the rights of the role that reads.
 *
 * <p>A snapshot locks rows, so that no role that may only read can take it instead. Constraints are
 * not met while {@code constraint_exclusion} is off.
 */
final class CodeOfReading {
  private static final Sql FOREIGN = Sql.of(ForeignCode.ofReading(":table"));

  private CodeOfReading() {}

  /**
   * That whoever owns such a function gains nothing by it. To be asked while the table is locked
   * against new indexes.
   *
   * @param table its oid
   * @throws RefusedCaptureException if somebody would
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
