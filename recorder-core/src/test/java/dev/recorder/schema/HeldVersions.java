package dev.recorder.schema;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Row versions that machines and the log with the lockid 1 have written while a transaction like a
 * dump's keeps the server from removing any of them.
 */
public final class HeldVersions implements AutoCloseable {

  /** Heartbeats of two and a half hours, or slots of one at more than five a second. */
  public static final int COUNT = 20_000;

  private final TestDatabase database;
  private final Connection dump;

  private HeldVersions(TestDatabase database, Connection dump) {
    this.database = database;
    this.dump = dump;
  }

  /** Holds from now on what is written in this database. */
  public static HeldVersions hold(TestDatabase database) throws SQLException {
    Connection dump = database.connectAsSuperuser();
    dump.setAutoCommit(false);
    dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = dump.createStatement()) {
      statement.execute("SELECT 1");
    }
    return new HeldVersions(database, dump);
  }

  /** Slots that the log with the lockid 1 settled, each one a version of its row. */
  public HeldVersions settle() throws SQLException {
    again(
        "UPDATE recorder.lock_recorders SET last_slot = last_slot + 1,"
            + " chain = repeat('0', 64), settled_at = clock_timestamp() WHERE ctid = (SELECT ctid"
            + " FROM recorder.lock_recorders WHERE lock_id >= 1 AND lock_id <= 1"
            + " ORDER BY lock_id DESC LIMIT 1)");
    return this;
  }

  /** Heartbeats of all machines that there are, so many of each. */
  public HeldVersions beat() throws SQLException {
    // Without the key meanwhile, which would look at all versions before for each.
    database.execute("ALTER TABLE recorder.info_recorders DROP CONSTRAINT info_recorders_pkey");
    again(
        "UPDATE recorder.info_recorders i SET beat = beat + 1 WHERE ctid = ANY (ARRAY (SELECT"
            + " (SELECT ctid FROM recorder.info_recorders WHERE name = m ORDER BY beat DESC LIMIT"
            + " 1) FROM unnest(names) m))");
    database.execute("ALTER TABLE recorder.info_recorders ADD PRIMARY KEY (name)");
    return this;
  }

  /** In transactions of their own, as the product writes them. */
  private void again(String update) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "SET synchronous_commit = off",
              "SET enable_seqscan = off",
              "SET enable_sort = off",
              "SET enable_bitmapscan = off",
              "DO $$ DECLARE names text[]; BEGIN SELECT array_agg(name) INTO names"
                  + " FROM recorder.info_recorders; FOR n IN 1.."
                  + COUNT
                  + " LOOP "
                  + update
                  + "; COMMIT; END LOOP; END $$")) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    dump.close();
  }
}
