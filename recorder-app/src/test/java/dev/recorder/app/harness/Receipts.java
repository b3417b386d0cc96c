package dev.recorder.app.harness;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What producers leave in a table of their own, in the very transactions that insert rows: a
 * receipt is there if the transaction has committed, and stays when its rows have been cleared
 * away. The product knows nothing of it.
 */
public final class Receipts {
  /** To be copied with a database whose producers go on. */
  public static final String SCHEMA = "applications";

  private static final String TABLE = SCHEMA + ".receipts";
  private static final String LEAVE =
      "INSERT INTO " + TABLE + " (number, recorder, row_count) VALUES (?, ?, ?)";

  private Receipts() {}

  /** Makes the table, in a database that does not have it. */
  public static void createIn(TestDatabase database) throws SQLException {
    database.execute(
        "CREATE SCHEMA " + SCHEMA,
        "CREATE TABLE " + TABLE + " (number bigint, recorder int, row_count int)",
        "GRANT USAGE ON SCHEMA " + SCHEMA + " TO " + TestDatabase.ROLE,
        "GRANT INSERT ON " + TABLE + " TO " + TestDatabase.ROLE);
  }

  /**
   * Leaves a transaction's receipt, in the transaction itself.
   *
   * @param rows that a commit would commit
   */
  public static void leave(Connection connection, long number, int recorder, int rows)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(LEAVE)) {
      insert.setLong(1, number);
      insert.setInt(2, recorder);
      insert.setInt(3, rows);
      insert.executeUpdate();
    }
  }

  /** Those of some numbers that are there. */
  public static Set<Long> present(TestDatabase database, Collection<Long> numbers)
      throws SQLException {
    Set<Long> present = new HashSet<>();
    try (Connection connection = database.connectAsSuperuser();
        PreparedStatement select =
            connection.prepareStatement("SELECT number FROM " + TABLE + " WHERE number = ANY(?)")) {
      select.setArray(1, connection.createArrayOf("bigint", numbers.toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          present.add(row.getLong(1));
        }
      }
    }
    return present;
  }

  /** How many rows of a recorder were committed with receipts. */
  public static long rows(TestDatabase database, int recorder) throws SQLException {
    return database.number(
        "SELECT coalesce(sum(row_count), 0) FROM " + TABLE + " WHERE recorder = " + recorder);
  }
}
