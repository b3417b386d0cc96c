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
 * Reads a hand-off table as it is stored: partition after partition, a range of pages at a time, on
 * a session of its own. No index takes part, so that a row is found which an index has lost.
 *
 * <p>Each range is a transaction of its own, so that no dead row must be kept for the length of it
 * all. A row that was committed before has its page by then, and nothing moves it but a rewrite of
 * the whole table, which is noticed. The driver holds one row at a time; of one that is larger than
 * a sixteenth of the heap or 16 MiB, a piece.
 */
public final class StoredRows implements HandoffRows, AutoCloseable {
  /** What a range should hold at most, by the average of its partition, large values included. */
  private static final long RANGE_BYTES = 64L << 20;

  /** The same beside others' work, on a session that answers sooner. */
  private static final long LEAF_RANGE_BYTES = 8L << 20;

  private static final int MOST_PAGES = 2_048;

  /** Then it is told who is in the way; see {@link #waiting}. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

  private final Connection connection;
  private final String table;
  private final long rangeBytes;
  private final RangeStatements statements;
  private LockWaits waits = LockWaits.NONE;

  /** A table that has rows, as it was when the scan began. */
  private record Partition(long oid, String name, long file, long pages, long bytes) {
    long pagesPerRange(long rangeBytes) {
      return StoredRows.pagesPerRange(pages, bytes, rangeBytes);
    }
  }

  /** How many pages of a table are read at once that has {@code bytes}, large values included. */
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

  /** Opens the session. */
  public static StoredRows open(Sessions sessions, RecorderName recorder, int lockId) {
    Connection connection = sessions.openForQueries(LOCK_WAIT);
    try {
      return new StoredRows(connection, RangeStatements.of(sessions.schemas(), lockId), recorder);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Rows of one table that a hand-off table is made of.
   *
   * @param connection stays the caller's, and reads by no index from now on
   */
  public static StoredRows of(Connection connection, SchemaNames schemas, int lockId, String leaf)
      throws SQLException {
    return new StoredRows(connection, RangeStatements.of(schemas, lockId), leaf, LEAF_RANGE_BYTES);
  }

  /** Has the scan do this where somebody's lock is in its way, instead of failing. */
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
   * Asks once more what has given up waiting for a lock, outside of transactions. What fails after
   * it has handed rows over must not be an {@link SQLException}: they would come twice.
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

  /** Returns how many there were. */
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

  /** What has handed rows over must not be asked again. */
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
   * A rewritten table has its rows elsewhere, some of them on pages that had been read. One that
   * was emptied has none that could be missed. One that has another name by now may not have been
   * read to its end.
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

  /** Ends the session, from any thread, also while it is read. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }
}
