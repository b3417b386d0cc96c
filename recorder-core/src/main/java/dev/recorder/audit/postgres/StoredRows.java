package dev.recorder.audit.postgres;

import dev.recorder.audit.HandoffRows;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlCall;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.slotlog.postgres.BinaryRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads a hand-off table as it is stored: partition after partition, a range of pages at a time. It
 * uses no index, so that it finds rows that an index lacks.
 *
 * <p>Each range is a transaction of its own, so that dead rows need not be kept for the length of
 * the scan. A row that was committed before the scan keeps its page, unless the whole table is
 * rewritten, which is noticed. The driver holds one row at a time, and only a piece of a row larger
 * than a sixteenth of the heap or 16 MiB.
 */
public final class StoredRows implements HandoffRows, AutoCloseable {
  /**
   * The most bytes of a range, estimated by the average of its partition, large values included.
   */
  private static final long RANGE_BYTES = 64L << 20;

  /** The most bytes of a range beside other work, on a session that must answer sooner. */
  private static final long LEAF_RANGE_BYTES = 8L << 20;

  private static final int MOST_PAGES = 2_048;

  /** How long a statement waits for a lock before the holder is reported; see {@link #waiting}. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

  private final Connection connection;
  private final String table;
  private final long rangeBytes;
  private final RangeStatements statements;
  private LockWaits waits = LockWaits.NONE;

  /** A partition that may have rows, as it was when the scan began. */
  private record Partition(long oid, String name, long file, long pages, long bytes) {
    long pagesPerRange(long rangeBytes) {
      return StoredRows.pagesPerRange(pages, bytes, rangeBytes);
    }
  }

  /**
   * Returns how many pages are read at once from a table with {@code bytes}, large values included.
   */
  static long pagesPerRange(long pages, long bytes, long rangeBytes) {
    long perPage = Math.max(1, bytes / Math.max(1, pages));
    return Math.max(1, Math.min(MOST_PAGES, rangeBytes / perPage));
  }

  StoredRows(Connection connection, RangeStatements statements, RecorderName recorder)
      throws SQLException {
    this(connection, statements, statements.schemas().handoffTable(recorder), RANGE_BYTES);
  }

  private StoredRows(
      Connection connection, RangeStatements statements, String table, long rangeBytes)
      throws SQLException {
    this.connection = connection;
    this.statements = statements;
    this.table = table;
    this.rangeBytes = rangeBytes;
    SettingOverrides.pages(connection);
  }

  /** Opens a session for a scan. */
  public static StoredRows open(Sessions sessions, RecorderName recorder, int lockId) {
    Connection connection = sessions.openForQueries(LOCK_WAIT);
    try {
      return new StoredRows(connection, RangeStatements.of(sessions.schemas(), lockId), recorder);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Returns the rows of one leaf of a hand-off table.
   *
   * @param connection stays open; it uses no indexes from now on
   */
  public static StoredRows of(Connection connection, SchemaNames schemas, int lockId, String leaf)
      throws SQLException {
    return new StoredRows(connection, RangeStatements.of(schemas, lockId), leaf, LEAF_RANGE_BYTES);
  }

  /** Sets the reaction to a lock of another session, in place of a failure. */
  public StoredRows waiting(LockWaits waits) {
    this.waits = waits;
    return this;
  }

  @Override
  public void scan(RowSink sink) {
    try {
      boolean excluded = ask(this::hasExclusions);
      List<Partition> partitions = ask(this::partitions);
      long pages = partitions.stream().mapToLong(Partition::pages).sum();
      long read = 0;
      for (Partition partition : partitions) {
        long step = partition.pagesPerRange(rangeBytes);
        for (long page = 0; page < partition.pages(); page += step) {
          long end = Math.min(page + step, partition.pages());
          String range = statements.range(partition.name(), page, end, excluded);
          if (ask(() -> readWhole(range, sink))) {
            String pieces = statements.pieces(partition.name(), page, end, excluded);
            ask(() -> readInPieces(pieces, sink));
          }
          sink.progress(read + end, pages);
        }
        read += partition.pages();
        if (ask(() -> isMoved(partition))) {
          throw moved(partition);
        }
      }
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Runs a statement, and repeats it if it gave up waiting for a lock outside of a transaction. A
   * failure after rows were passed on must not be an {@link SQLException}, since a repetition would
   * pass them again.
   */
  private <T> T ask(SqlCall<T> question) throws SQLException {
    for (int times = 1; ; times++) {
      try {
        return question.run();
      } catch (SQLException e) {
        if (!SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
          throw e;
        }
        DatabaseException trouble = LockWaitDiagnosis.of(connection, e, statements.schemas());
        if (!waits.goesOn(times, String.valueOf(trouble.getMessage()))) {
          throw trouble;
        }
      }
    }
  }

  /** Returns whether there are rows that come in pieces. */
  private boolean readWhole(String sql, RowSink sink) throws SQLException {
    boolean inPieces = false;
    boolean given = false;
    CopyOut copy = copy(sql);
    try {
      BinaryRows rows = new BinaryRows();
      byte[] message = copy.readFromCopy();
      while (message != null) {
        if (rows.read(message)) {
          if (rows.payload().hasRemaining()) {
            given = true;
            sink.row(rows.row());
          } else {
            inPieces = true;
          }
        }
        message = copy.readFromCopy();
      }
    } catch (SQLException e) {
      throw unlessGiven(given, e);
    } finally {
      end(copy);
    }
    return inPieces;
  }

  /** Returns the number of rows. */
  private int readInPieces(String sql, RowSink sink) throws SQLException {
    int count = 0;
    CopyOut copy = copy(sql);
    try {
      StoredPayloads payloads = new StoredPayloads(copy, statements.pieceBytes());
      for (KeptRow row = payloads.row(); row != null; row = payloads.row()) {
        count++;
        sink.row(row);
      }
    } catch (SQLException e) {
      throw unlessGiven(count > 0, e);
    } finally {
      end(copy);
    }
    return count;
  }

  /** Prevents a repetition if rows were passed on. */
  private SQLException unlessGiven(boolean given, SQLException e) {
    if (given) {
      throw LockWaitDiagnosis.of(connection, e, statements.schemas());
    }
    return e;
  }

  private CopyOut copy(String sql) throws SQLException {
    return connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyOut(
            SqlTemplate.fill("COPY ({query}) TO STDOUT (FORMAT binary)", Map.of("query", sql)));
  }

  private static void end(CopyOut copy) throws SQLException {
    if (copy.isActive()) {
      copy.cancelCopy();
    }
  }

  private boolean hasExclusions() throws SQLException {
    Sql sql =
        Sql.in(
            statements.schemas(), "SELECT EXISTS (SELECT FROM {exclusions} WHERE lock_id = :lock)");
    try (SqlStatement statement = sql.on(connection)) {
      return statement.set("lock", statements.lockId()).truth();
    }
  }

  private static final Sql PARTITIONS =
      Sql.of(
          """
          SELECT c.oid, format('%I.%I', n.nspname, c.relname), pg_relation_filenode(c.oid),
            pg_relation_size(c.oid) / current_setting('block_size')::bigint, pg_table_size(c.oid)
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relkind = 'r' AND c.oid IN (
            SELECT relid FROM pg_partition_tree(:table::regclass) UNION SELECT :table::regclass)
          ORDER BY c.oid
          """);

  private List<Partition> partitions() throws SQLException {
    try (SqlStatement statement = PARTITIONS.on(connection)) {
      return statement
          .set("table", table)
          .all(
              row ->
                  new Partition(
                      row.getLong(1),
                      row.getString(2),
                      row.getLong(3),
                      row.getLong(4),
                      row.getLong(5)));
    }
  }

  private static final Sql MOVED =
      Sql.of(
          """
          SELECT pg_relation_filenode(:oid::oid) IS DISTINCT FROM :file::oid
              AND pg_relation_size(:oid::oid) IS DISTINCT FROM 0
            OR to_regclass(:name) IS DISTINCT FROM :oid::oid
          """);

  /**
   * Whether rows may have been missed. A rewrite puts rows elsewhere, some of them on pages that
   * were already read. An emptied table has no rows that could be missed. A renamed table may not
   * have been read to its end.
   */
  private boolean isMoved(Partition partition) throws SQLException {
    try (SqlStatement statement = MOVED.on(connection)) {
      statement.set("oid", partition.oid()).set("file", partition.file());
      return statement.set("name", partition.name()).truth();
    }
  }

  private static DatabaseException moved(Partition partition) {
    return new DatabaseException(
        DatabaseErrorKind.BUSY,
        """
        table %s was rewritten, renamed or dropped (VACUUM FULL, CLUSTER) while it \
        was read; run it again\
        """
            .formatted(partition.name()));
  }

  /** Ends the session, from any thread, even during a scan. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }
}
