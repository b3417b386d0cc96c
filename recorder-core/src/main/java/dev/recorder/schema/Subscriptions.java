package dev.recorder.schema;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Finds logical replication that writes into a hand-off table. Replicated rows have another
 * server's transaction numbers. Rows with numbers below the log's position would never be recorded.
 * Therefore such a table must not be recorded until the replication has ended.
 */
public final class Subscriptions {
  private static final Sql WRITING_INTO =
      Sql.of(
          """
          SELECT quote_ident(s.subname)
          FROM pg_subscription s
          JOIN pg_subscription_rel r ON r.srsubid = s.oid
          WHERE s.subenabled
            AND r.srrelid IN (SELECT relid FROM pg_partition_tree(:table::regclass))
          ORDER BY 1 LIMIT 1
          """);

  private Subscriptions() {}

  /** Returns the subscription and the remedy, as a message; empty if there is none. */
  public static String writingInto(Connection connection, String table) throws SQLException {
    try (SqlStatement statement = WRITING_INTO.on(connection)) {
      return statement
          .set("table", table)
          .first(row -> row.getString(1))
          .map(
              subscription ->
                  """
                  subscription %1$s writes into table %2$s, with transaction numbers of another \
                  server; nothing is recorded from it before ALTER SUBSCRIPTION %1$s DISABLE, see \
                  the runbook, 'Restored databases'"""
                      .formatted(subscription, table))
          .orElse("");
    }
  }
}
