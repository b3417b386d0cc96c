package dev.recorder.lock.postgres;

import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlFunction;
import dev.recorder.schema.LockTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of a {@link LockDesk}. */
final class LockQueries {
  /** How long to wait until a session has ended that was told to. */
  private static final int TERMINATION_MILLIS = 5_000;

  private static final String OURS =
      " l.locktype = 'advisory'"
          + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())";
  private static final String OF_KEY =
      OURS + " AND l.objsubid = ? AND l.classid::bigint = ? AND l.objid::bigint = ?";

  /** Only sessions for locks have names among their keys: those of others are of other things. */
  private static final String OF_ANY_KEY =
      OURS
          + " AND (l.objsubid = 2 AND l.classid::bigint = (?::bigint & 4294967295)"
          + " OR l.objsubid = 1 AND a.application_name LIKE 'recorder/%/lock')";

  private final SchemaNames schemas;
  private final LockTables tables;

  LockQueries(SchemaNames schemas) {
    this.schemas = schemas;
    this.tables = new LockTables(schemas);
  }

  List<AdvisoryRow> advisory(Connection connection, int limit) throws SQLException {
    return rows(
        connection,
        advisory(OF_ANY_KEY) + " LIMIT ?",
        LockQueries::advisoryRow,
        schemas.lockNamespace(),
        limit);
  }

  List<AdvisoryRow> advisory(Connection connection, AdvisoryKey key) throws SQLException {
    return rows(
        connection, advisory(OF_KEY), LockQueries::advisoryRow, part(key), high(key), low(key));
  }

  private String advisory(String which) {
    return "SELECT l.objsubid, l.classid::bigint, l.objid::bigint, r.recorder, l.granted, l.pid,"
        + " coalesce(a.application_name, ''), coalesce(a.client_addr::text, 'local'),"
        + " CASE WHEN l.granted THEN a.backend_start ELSE l.waitstart END"
        + " FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) LEFT JOIN "
        + schemas.table("lock_recorders")
        + " r ON l.objsubid = 2 AND r.lock_id = l.objid::bigint WHERE"
        + which
        + " ORDER BY 1 DESC, 2, 3, l.granted DESC, l.waitstart, l.pid";
  }

  /** Whether the session held the lock, and is gone. */
  boolean terminate(Connection connection, AdvisoryKey key, int pid) throws SQLException {
    return rows(
            connection,
            "SELECT pg_terminate_backend(l.pid, "
                + TERMINATION_MILLIS
                + ") FROM pg_locks l WHERE"
                + OF_KEY
                + " AND l.granted AND l.pid = ?",
            row -> row.getBoolean(1),
            part(key),
            high(key),
            low(key),
            pid)
        .contains(true);
  }

  List<MutexRow> mutexes(Connection connection, int limit) throws SQLException {
    return rows(
        connection,
        mutex() + " ORDER BY acquired DESC, queue_id, id LIMIT ?",
        LockQueries::mutexRow,
        limit);
  }

  List<MutexRow> mutex(Connection connection, RowName name) throws SQLException {
    return rows(
        connection,
        mutex() + " WHERE queue_id = ? AND id = ?",
        LockQueries::mutexRow,
        name.queue(),
        name.id());
  }

  private String mutex() {
    return "SELECT queue_id, id, acquired, retries_left, owner, token, acquired_at, released_at"
        + " FROM "
        + tables.mutex();
  }

  /** Nothing happens if it has changed hands since it was looked at. */
  int release(Connection connection, MutexRow seen) throws SQLException {
    return update(
        connection,
        "UPDATE "
            + tables.mutex()
            + " SET acquired = false, owner = NULL, released_at = clock_timestamp(),"
            + " forced_token = token"
            + " WHERE queue_id = ? AND id = ? AND acquired AND token IS NOT DISTINCT FROM ?",
        seen.queue(),
        seen.id(),
        seen.token());
  }

  List<TimeoutRow> timeouts(Connection connection, int limit) throws SQLException {
    return rows(
        connection, timeout() + " ORDER BY queue_id, id LIMIT ?", LockQueries::timeoutRow, limit);
  }

  List<TimeoutRow> timeout(Connection connection, RowName name) throws SQLException {
    return rows(
        connection,
        timeout() + " WHERE queue_id = ? AND id = ?",
        LockQueries::timeoutRow,
        name.queue(),
        name.id());
  }

  private String timeout() {
    return "SELECT queue_id, id, extract(epoch FROM timeout) * 1000, retries_left, owner, token,"
        + " CASE WHEN isfinite(ts) THEN ts END, clock_timestamp() FROM "
        + tables.timeout();
  }

  /** Nothing happens if somebody else has had it since it was looked at. */
  int release(Connection connection, TimeoutRow seen) throws SQLException {
    return update(
        connection,
        "UPDATE "
            + tables.timeout()
            + " SET ts = '-infinity', owner = NULL"
            + " WHERE queue_id = ? AND id = ? AND token IS NOT DISTINCT FROM ?",
        seen.queue(),
        seen.id(),
        seen.token());
  }

  int setMutexRetries(Connection connection, RowName name, int retries) throws SQLException {
    return setRetries(connection, tables.mutex(), name, retries);
  }

  int setTimeoutRetries(Connection connection, RowName name, int retries) throws SQLException {
    return setRetries(connection, tables.timeout(), name, retries);
  }

  private static int setRetries(Connection connection, String table, RowName name, int retries)
      throws SQLException {
    return update(
        connection,
        "UPDATE " + table + " SET retries_left = ? WHERE queue_id = ? AND id = ?",
        retries,
        name.queue(),
        name.id());
  }

  private static int part(AdvisoryKey key) {
    return key.isPair() ? 2 : 1;
  }

  private static long high(AdvisoryKey key) {
    return Integer.toUnsignedLong(key.high());
  }

  private static long low(AdvisoryKey key) {
    return Integer.toUnsignedLong(key.low());
  }

  private static AdvisoryRow advisoryRow(ResultSet row) throws SQLException {
    boolean pair = row.getInt(1) == 2;
    long low = row.getLong(3);
    return new AdvisoryRow(
        pair ? (int) low : null,
        pair ? low : (row.getLong(2) << Integer.SIZE) | low,
        row.getString(4),
        row.getBoolean(5),
        row.getInt(6),
        row.getString(7),
        row.getString(8),
        instant(row, 9));
  }

  private static MutexRow mutexRow(ResultSet row) throws SQLException {
    return new MutexRow(
        row.getString(1),
        row.getString(2),
        row.getBoolean(3),
        row.getObject(4, Integer.class),
        row.getString(5),
        row.getObject(6, Long.class),
        instant(row, 7),
        instant(row, 8));
  }

  private static TimeoutRow timeoutRow(ResultSet row) throws SQLException {
    Duration timeout = Duration.ofMillis(row.getLong(3));
    Instant last = instant(row, 7);
    Instant dueAt = last == null ? null : last.plus(timeout.minus(TimeoutLocks.slack(timeout)));
    Instant now = row.getObject(8, OffsetDateTime.class).toInstant();
    return new TimeoutRow(
        row.getString(1),
        row.getString(2),
        dueAt == null || now.isAfter(dueAt),
        dueAt,
        timeout,
        row.getObject(4, Integer.class),
        row.getString(5),
        row.getObject(6, Long.class),
        last);
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static <T> List<T> rows(
      Connection connection, String sql, SqlFunction<ResultSet, T> reading, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      List<T> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(reading.apply(row));
        }
      }
      return rows;
    }
  }

  private static int update(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      return statement.executeUpdate();
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object... parameters)
      throws SQLException {
    for (int p = 0; p < parameters.length; p++) {
      statement.setObject(p + 1, parameters[p]);
    }
  }
}
