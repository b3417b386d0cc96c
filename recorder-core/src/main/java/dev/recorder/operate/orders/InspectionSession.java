package dev.recorder.operate.orders;

import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A session for operators' queries, outside of transactions. If a lock blocks a query, the failure
 * names the lock's holder, since operators have no other way to find it. If rights are missing, the
 * failure names the command that lists them.
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
