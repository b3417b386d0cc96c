package dev.recorder.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Whether a logical replication writes into a hand-off table. Its rows come with another server's
 * transaction numbers at any time, also below a position that the log has passed: those would be
 * recorded never. So nobody may record from such a table until the replication has ended.
 */
public final class Subscriptions {
  private Subscriptions() {}

  /** Which one does, and what to do; empty if none. */
  public static String writingInto(Connection connection, String table) throws SQLException {
    String sql =
        "SELECT quote_ident(s.subname) FROM pg_subscription s"
            + " JOIN pg_subscription_rel r ON r.srsubid = s.oid"
            + " WHERE s.subenabled AND r.srrelid IN (SELECT relid FROM pg_partition_tree(?::regclass))"
            + " ORDER BY 1 LIMIT 1";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? "subscription "
                + row.getString(1)
                + " writes into table "
                + table
                + ", with transaction numbers of another server; nothing is recorded from it before"
                + " ALTER SUBSCRIPTION "
                + row.getString(1)
                + " DISABLE, see the runbook, 'Restored databases'"
            : "";
      }
    }
  }
}
