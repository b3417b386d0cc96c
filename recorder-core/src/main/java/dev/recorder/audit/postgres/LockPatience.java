package dev.recorder.audit.postgres;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlCall;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Asks once more what has given up waiting for a lock, outside of transactions. What fails after it
 * has handed rows over must not be an {@link SQLException}: they would come twice.
 */
record LockPatience(Connection connection, SchemaNames schemas, LockWaits waits) {
  <T> T ask(SqlCall<T> question) throws SQLException {
    for (int times = 1; ; times++) {
      try {
        return question.run();
      } catch (SQLException e) {
        if (!SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
          throw e;
        }
        DatabaseException trouble = LockWaitDiagnosis.of(connection, e, schemas);
        if (!waits.goesOn(times, String.valueOf(trouble.getMessage()))) {
          throw trouble;
        }
      }
    }
  }
}
