package dev.recorder.operate.orders;

import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A session on which operators ask, outside of transactions. If somebody has locked what is asked
 * of, the failure names them: who is kept waiting has nobody else to turn to. So does it name who
 * knows which rights are missing.
 */
public final class InspectionSession {
  private final Connection connection;
  private final SchemaNames schemas;

  public InspectionSession(Connection connection, SchemaNames schemas) {
    this.connection = connection;
    this.schemas = schemas;
  }

  public <T> T ask(SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw LockWaitDiagnosis.of(connection, e, schemas);
    }
  }
}
