package dev.recorder.audit.postgres;

import dev.recorder.audit.HandoffRows;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.slotlog.postgres.BinaryRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads a hand-off table as it is stored: partition after partition, a range of pages at a time, on
 * a session of its own. No index takes part, so that a row is found which an index has lost.
 *
 * <p>Each range is a transaction of its own, so that no dead row must be kept for the length of it
 * all. A row that was committed before has its page by then, and nothing moves it but a rewrite of
 * the whole table, which is noticed. The driver holds one row at a time.
 */
public final class StoredRows implements HandoffRows, AutoCloseable {
  /** What a range should hold at most, by the average of its partition, large values included. */
  private static final long RANGE_BYTES = 64L << 20;

  private static final int MOST_PAGES = 2_048;

  /** No index, whatever it would cost without. */
  private static final String PLAIN =
      "SET jit = off; SET enable_tidscan = on; SET enable_indexscan = off;"
          + " SET enable_indexonlyscan = off; SET enable_bitmapscan = off";

  private static final String PARTITIONS_SQL =
      "SELECT c.oid, format('%I.%I', n.nspname, c.relname), pg_relation_filenode(c.oid),"
          + " pg_relation_size(c.oid) / current_setting('block_size')::bigint,"
          + " pg_table_size(c.oid)"
          + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE c.relkind = 'r' AND c.oid IN ("
          + "SELECT relid FROM pg_partition_tree(?::regclass) UNION SELECT ?::regclass)"
          + " ORDER BY c.oid";

  private final Connection connection;
  private final String table;
  private final String exclusions;
  private final int lockId;

  /** A table that has rows, as it was when the scan began. */
  private record Partition(long oid, String name, long file, long pages, long bytes) {
    long pagesPerRange() {
      return StoredRows.pagesPerRange(pages, bytes);
    }
  }

  /** How many pages of a table are read at once that has {@code bytes}, large values included. */
  static long pagesPerRange(long pages, long bytes) {
    long perPage = Math.max(1, bytes / Math.max(1, pages));
    return Math.max(1, Math.min(MOST_PAGES, RANGE_BYTES / perPage));
  }

  StoredRows(Connection connection, SchemaNames schemas, RecorderName recorder, int lockId)
      throws SQLException {
    this.connection = connection;
    this.table = schemas.handoffTable(recorder);
    this.exclusions = schemas.table("exclusions");
    this.lockId = lockId;
    try (Statement statement = connection.createStatement()) {
      statement.execute(PLAIN);
    }
  }

  /** Opens the session. */
  public static StoredRows open(Sessions sessions, RecorderName recorder, int lockId) {
    Connection connection = sessions.openForQueries();
    try {
      return new StoredRows(connection, sessions.schemas(), recorder, lockId);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  @Override
  public void scan(Sink sink) {
    try {
      boolean excluded = hasExclusions();
      List<Partition> partitions = partitions();
      long pages = partitions.stream().mapToLong(Partition::pages).sum();
      long read = 0;
      for (Partition partition : partitions) {
        long step = partition.pagesPerRange();
        for (long page = 0; page < partition.pages(); page += step) {
          long end = Math.min(page + step, partition.pages());
          read(rangeSql(partition.name(), page, end, excluded), sink);
          sink.progress(read + end, pages);
        }
        read += partition.pages();
        checkNotRewritten(partition);
      }
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /** The rows on the pages {@code from} (inclusive) to {@code to} (exclusive) of a table. */
  String rangeSql(String partition, long from, long to, boolean excluded) {
    return "SELECT h.id, h.xid, h.time, "
        + (excluded ? "e.slot" : "NULL::bigint")
        + ", h.key, h.payload::text FROM ONLY "
        + partition
        + " h"
        + (excluded
            ? " LEFT JOIN "
                + exclusions
                + " e ON e.lock_id = "
                + lockId
                + " AND e.xid = h.xid AND e.id = h.id"
            : "")
        + " WHERE h.ctid >= '("
        + from
        + ",0)'::tid AND h.ctid < '("
        + to
        + ",0)'::tid";
  }

  private void read(String sql, Sink sink) throws SQLException {
    CopyOut copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut("COPY (" + sql + ") TO STDOUT (FORMAT binary)");
    try {
      BinaryRows rows = new BinaryRows();
      byte[] message = copy.readFromCopy();
      while (message != null) {
        if (rows.read(message)) {
          sink.row(rows.row());
        }
        message = copy.readFromCopy();
      }
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
  }

  private boolean hasExclusions() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT FROM " + exclusions + " WHERE lock_id = ?)")) {
      statement.setInt(1, lockId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private List<Partition> partitions() throws SQLException {
    List<Partition> partitions = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(PARTITIONS_SQL)) {
      statement.setString(1, table);
      statement.setString(2, table);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          partitions.add(
              new Partition(
                  row.getLong(1),
                  row.getString(2),
                  row.getLong(3),
                  row.getLong(4),
                  row.getLong(5)));
        }
      }
    }
    return partitions;
  }

  /** A rewritten table has its rows elsewhere, some of them on pages that had been read. */
  private void checkNotRewritten(Partition partition) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_relation_filenode(?::oid)")) {
      statement.setLong(1, partition.oid());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (row.getLong(1) != partition.file()) {
          throw new DatabaseException(
              Kind.BUSY,
              "table "
                  + partition.name()
                  + " was rewritten, truncated or dropped (VACUUM FULL, CLUSTER, TRUNCATE) while"
                  + " it was read; run it again");
        }
      }
    }
  }

  /** Ends the session, from any thread, also while it is read. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }
}
