package dev.recorder.app.harness.proof;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Where the database says that a log's rows are.
 *
 * @param kept rows in the table
 * @param cleared rows that have gone from it, by the product's own notes
 */
public record Holdings(long kept, long cleared) {
  private static final String COUNT =
      """
      SELECT (SELECT count(*) FROM handoff.%1$s),
        (SELECT coalesce(sum(cleared_rows), 0)
         FROM recorder.blocks JOIN recorder.lock_recorders USING (lock_id)
         WHERE recorder = '%1$s')
      """;

  /** Of one moment, whoever clears meanwhile. */
  public static Holdings of(TestDatabase database, String recorder) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      // A snapshot alone would not do: it sees a table that was emptied since, and no note of it.
      statement.execute("LOCK TABLE handoff." + recorder + " IN ACCESS SHARE MODE");
      try (ResultSet row = statement.executeQuery(COUNT.formatted(recorder))) {
        row.next();
        return new Holdings(row.getLong(1), row.getLong(2));
      }
    }
  }

  /** All of them. */
  public long rows() {
    return kept + cleared;
  }
}
