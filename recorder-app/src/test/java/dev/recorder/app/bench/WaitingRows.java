package dev.recorder.app.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A backlog. */
final class WaitingRows {
  private static final int BYTES_PER_TRANSACTION = 2_000_000;

  private WaitingRows() {}

  /** Inserts rows in as many transactions as applications would make of it, not one. */
  static void insert(Connection database, long count, int payloadBytes) throws SQLException {
    System.out.println("inserting " + count + " rows of " + payloadBytes + " bytes");
    int rowsPerTransaction = BYTES_PER_TRANSACTION / payloadBytes;
    try (Statement statement = database.createStatement()) {
      for (long from = 0; from < count; from += rowsPerTransaction) {
        statement.execute(
            "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
                + " 'text', rpad(md5(n::text) || md5((n + 1)::text), "
                + (payloadBytes - 30)
                + ", md5((n + 2)::text))) FROM generate_series("
                + from
                + ", "
                + (Math.min(from + rowsPerTransaction, count) - 1)
                + ") n");
      }
      statement.execute("ANALYZE handoff.orders");
      statement.execute("CHECKPOINT");
    }
  }
}
