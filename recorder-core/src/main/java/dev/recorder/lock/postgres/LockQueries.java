package dev.recorder.lock.postgres;

import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sql;
import dev.recorder.postgres.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of a {@link LockDesk}. */
final class LockQueries {
  /** How long to wait until a session has ended that was told to. */
  private static final int TERMINATION_MILLIS = 5_000;

  private static final String OURS =
      """
      l.locktype = 'advisory'
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())""";

  private static final String OF_KEY =
      """
      {ours}
        AND l.objsubid = :part AND l.classid::bigint = :high AND l.objid::bigint = :low""";

  /** Only sessions for locks have names among their keys: those of others are of other things. */
  private static final String OF_ANY_KEY =
      """
      {ours}
        AND (l.objsubid = 2 AND l.classid::bigint = (:namespace::bigint & 4294967295)
          OR l.objsubid = 1 AND a.application_name LIKE 'recorder/%/lock')""";

  private final SchemaNames schemas;
  private final Sql advisoryOfAny;
  private final Sql advisoryOfKey;
  private final Sql mutexes;
  private final Sql mutex;
  private final Sql releaseMutex;
  private final Sql timeouts;
  private final Sql timeout;
  private final Sql releaseTimeout;
  private final Sql setMutexRetries;
  private final Sql setTimeoutRetries;

  LockQueries(SchemaNames schemas) {
    this.schemas = schemas;
    this.advisoryOfAny =
        Sql.in(
            schemas, ADVISORY, Map.of("which", OF_ANY_KEY, "ours", OURS, "limit", "LIMIT :limit"));
    this.advisoryOfKey =
        Sql.in(schemas, ADVISORY, Map.of("which", OF_KEY, "ours", OURS, "limit", ""));
    this.mutexes = Sql.in(schemas, MUTEX, Map.of("which", ALL_MUTEXES));
    this.mutex = Sql.in(schemas, MUTEX, Map.of("which", OF_NAME));
    this.releaseMutex = Sql.in(schemas, RELEASE_MUTEX);
    this.timeouts = Sql.in(schemas, TIMEOUT, Map.of("which", ALL_TIMEOUTS));
    this.timeout = Sql.in(schemas, TIMEOUT, Map.of("which", OF_NAME));
    this.releaseTimeout = Sql.in(schemas, RELEASE_TIMEOUT);
    this.setMutexRetries = Sql.in(schemas, SET_RETRIES, Map.of("table", "{lock_mutex}"));
    this.setTimeoutRetries = Sql.in(schemas, SET_RETRIES, Map.of("table", "{lock_timeout}"));
  }

  private static final String ADVISORY =
      """
      SELECT l.objsubid, l.classid::bigint, l.objid::bigint, r.recorder, l.granted, l.pid,
        coalesce(a.application_name, ''), coalesce(a.client_addr::text, 'local'),
        CASE WHEN l.granted THEN a.backend_start ELSE l.waitstart END
      FROM pg_locks l
      LEFT JOIN pg_stat_activity a USING (pid)
      LEFT JOIN {lock_recorders} r ON l.objsubid = 2 AND r.lock_id = l.objid::bigint
      WHERE {which}
      ORDER BY 1 DESC, 2, 3, l.granted DESC, l.waitstart, l.pid {limit}
      """;

  List<AdvisoryRow> advisory(Connection connection, int limit) throws SQLException {
    try (SqlStatement statement = advisoryOfAny.on(connection)) {
      return statement
          .set("namespace", schemas.lockNamespace())
          .set("limit", limit)
          .all(LockQueries::advisoryRow);
    }
  }

  List<AdvisoryRow> advisory(Connection connection, AdvisoryKey key) throws SQLException {
    try (SqlStatement statement = advisoryOfKey.on(connection)) {
      return bound(statement, key).all(LockQueries::advisoryRow);
    }
  }

  private static final Sql TERMINATE =
      Sql.of(
          """
          SELECT pg_terminate_backend(l.pid, {millis}) FROM pg_locks l
          WHERE {which} AND l.granted AND l.pid = :pid
          """,
          Map.of("millis", Integer.toString(TERMINATION_MILLIS), "which", OF_KEY, "ours", OURS));

  /** Whether the session held the lock, and is gone. */
  boolean terminate(Connection connection, AdvisoryKey key, int pid) throws SQLException {
    try (SqlStatement statement = TERMINATE.on(connection)) {
      return bound(statement, key).set("pid", pid).all(row -> row.getBoolean(1)).contains(true);
    }
  }

  private static SqlStatement bound(SqlStatement statement, AdvisoryKey key) throws SQLException {
    return statement
        .set("part", key.isPair() ? 2 : 1)
        .set("high", Integer.toUnsignedLong(key.high()))
        .set("low", Integer.toUnsignedLong(key.low()));
  }

  private static final String OF_NAME = "WHERE queue_id = :queue AND id = :id";
  private static final String ALL_MUTEXES = "ORDER BY acquired DESC, queue_id, id LIMIT :limit";
  private static final String MUTEX =
      """
      SELECT queue_id, id, acquired, retries_left, owner, token, acquired_at, released_at
      FROM {lock_mutex} {which}
      """;

  List<MutexRow> mutexes(Connection connection, int limit) throws SQLException {
    try (SqlStatement statement = mutexes.on(connection)) {
      return statement.set("limit", limit).all(LockQueries::mutexRow);
    }
  }

  List<MutexRow> mutex(Connection connection, RowName name) throws SQLException {
    try (SqlStatement statement = mutex.on(connection)) {
      return name.bind(statement).all(LockQueries::mutexRow);
    }
  }

  private static final String RELEASE_MUTEX =
      """
      UPDATE {lock_mutex} SET acquired = false, owner = NULL, released_at = clock_timestamp(),
        forced_token = token
      WHERE queue_id = :queue AND id = :id AND acquired AND token IS NOT DISTINCT FROM :token
      """;

  /** Nothing happens if it has changed hands since it was looked at. */
  int release(Connection connection, MutexRow seen) throws SQLException {
    return release(connection, releaseMutex, seen.queue(), seen.id(), seen.token());
  }

  private static int release(
      Connection connection, Sql release, String queue, String id, @Nullable Long token)
      throws SQLException {
    try (SqlStatement statement = release.on(connection)) {
      return statement.set("queue", queue).set("id", id).setLongOrNull("token", token).update();
    }
  }

  private static final String ALL_TIMEOUTS = "ORDER BY queue_id, id LIMIT :limit";
  private static final String TIMEOUT =
      """
      SELECT queue_id, id, extract(epoch FROM timeout) * 1000, retries_left, owner, token,
        CASE WHEN isfinite(ts) THEN ts END, clock_timestamp()
      FROM {lock_timeout} {which}
      """;

  List<TimeoutRow> timeouts(Connection connection, int limit) throws SQLException {
    try (SqlStatement statement = timeouts.on(connection)) {
      return statement.set("limit", limit).all(LockQueries::timeoutRow);
    }
  }

  List<TimeoutRow> timeout(Connection connection, RowName name) throws SQLException {
    try (SqlStatement statement = timeout.on(connection)) {
      return name.bind(statement).all(LockQueries::timeoutRow);
    }
  }

  private static final String RELEASE_TIMEOUT =
      """
      UPDATE {lock_timeout} SET ts = '-infinity', owner = NULL
      WHERE queue_id = :queue AND id = :id AND token IS NOT DISTINCT FROM :token
      """;

  /** Nothing happens if somebody else has had it since it was looked at. */
  int release(Connection connection, TimeoutRow seen) throws SQLException {
    return release(connection, releaseTimeout, seen.queue(), seen.id(), seen.token());
  }

  private static final String SET_RETRIES =
      "UPDATE {table} SET retries_left = :retries WHERE queue_id = :queue AND id = :id";

  int setMutexRetries(Connection connection, RowName name, int retries) throws SQLException {
    return setRetries(connection, setMutexRetries, name, retries);
  }

  int setTimeoutRetries(Connection connection, RowName name, int retries) throws SQLException {
    return setRetries(connection, setTimeoutRetries, name, retries);
  }

  private static int setRetries(Connection connection, Sql set, RowName name, int retries)
      throws SQLException {
    try (SqlStatement statement = set.on(connection)) {
      return name.bind(statement).set("retries", retries).update();
    }
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
}
