package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of a {@link LockAdmin}. */
final class LockQueries {
  /** How long to wait for the end of a terminated session. */
  private static final int TERMINATION_MILLIS = 5_000;

  private static final String OURS =
      """
      l.locktype = 'advisory'
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """;

  private static final String OF_KEY =
      "{ours} AND l.objsubid = :part AND l.classid::bigint = :high AND l.objid::bigint = :low";

  /**
   * The condition on locks of all names and lockids. A bigint key is the hash of a name only in
   * sessions for locks.
   */
  private static final String OF_ANY_KEY =
      """
      {ours} AND (l.objsubid = 2 AND l.classid::bigint = (:namespace::bigint & 4294967295)
        OR l.objsubid = 1 AND a.application_name LIKE 'recorder/%/lock')\
      """;

  private LockQueries() {}

  private static final String ADVISORY =
      """
      SELECT l.objsubid AS part, l.classid::bigint AS high, l.objid::bigint AS low, r.recorder,
        n.name, l.granted, l.pid, coalesce(a.application_name, '') AS application,
        coalesce(a.client_addr::text, 'local') AS address,
        CASE WHEN l.granted THEN a.backend_start ELSE l.waitstart END AS since
      FROM pg_locks l
      LEFT JOIN pg_stat_activity a USING (pid)
      LEFT JOIN {lock_recorders} r ON l.objsubid = 2 AND r.lock_id = l.objid::bigint
      LEFT JOIN {lock_name} n ON l.objsubid = 1
        AND n.key = (l.classid::bigint << 32 | l.objid::bigint)
      WHERE {which}
      ORDER BY 1 DESC, 2, 3, l.granted DESC, l.waitstart, l.pid {limit}
      """;

  static Command advisory(SchemaNames schemas, int limit) {
    return new Command(
        ADVISORY,
        Map.of("ours", OURS, "which", OF_ANY_KEY, "limit", "LIMIT :limit"),
        values -> values.set("namespace", schemas.lockNamespace()).set("limit", limit));
  }

  static Command advisory(AdvisoryKey key) {
    return new Command(
        ADVISORY, Map.of("ours", OURS, "which", OF_KEY, "limit", ""), values -> bind(values, key));
  }

  private static final String TERMINATE =
      """
      SELECT pg_terminate_backend(l.pid, :within::bigint) FROM pg_locks l
      WHERE {which} AND l.granted AND l.pid = :pid
      """;

  /** Ends the session if it holds the lock; returns whether the session has ended. */
  static Command terminate(AdvisoryKey key, int pid) {
    return new Command(
        TERMINATE,
        Map.of("ours", OURS, "which", OF_KEY),
        values -> bind(values, key).set("pid", pid).set("within", TERMINATION_MILLIS));
  }

  private static SqlStatement bind(SqlStatement statement, AdvisoryKey key) throws SQLException {
    return statement
        .set("part", key.isPair() ? 2 : 1)
        .set("high", Integer.toUnsignedLong(key.high()))
        .set("low", Integer.toUnsignedLong(key.low()));
  }

  private static final String OF_NAME = "WHERE queue_id = :queue AND id = :id";
  private static final String MUTEX =
      """
      SELECT queue_id, id, acquired, retries_left, owner, token, acquired_at, released_at
      FROM {lock_mutex}
      """;

  static Command mutexes(int limit) {
    return new Command(
        "{mutexes} ORDER BY acquired DESC, queue_id, id LIMIT :limit",
        PIECES,
        values -> values.set("limit", limit));
  }

  static Command mutex(RowName name) {
    return new Command("{mutexes} {ofName}", PIECES, name::bind);
  }

  /** Releases a mutex; no effect if it was released or taken since it was read. */
  static Command release(MutexRow seen) {
    return asSeen(MutexLocks.FORCE, seen.queue(), seen.id(), seen.token());
  }

  private static Command asSeen(String release, String queue, String id, @Nullable Long token) {
    return new Command(
        "{release} AND token IS NOT DISTINCT FROM :token",
        Map.of("release", release),
        values -> values.set("queue", queue).set("id", id).setLongOrNull("token", token));
  }

  private static final String TIMEOUT =
      """
      SELECT queue_id, id, retries_left, owner, token, clock_timestamp() AS now,
        CASE WHEN isfinite(ts) THEN ts END AS taken_at,
        CASE WHEN isfinite(due_at) THEN due_at END AS due_at
      FROM {lock_timeout}
      """;

  private static final Map<String, String> PIECES =
      Map.of("mutexes", MUTEX, "timeouts", TIMEOUT, "ofName", OF_NAME);

  static Command timeouts(int limit) {
    return new Command(
        "{timeouts} ORDER BY queue_id, id LIMIT :limit",
        PIECES,
        values -> values.set("limit", limit));
  }

  static Command timeout(RowName name) {
    return new Command("{timeouts} {ofName}", PIECES, name::bind);
  }

  /** Makes a lock due; no effect if it was taken since it was read. */
  static Command release(TimeoutRow seen) {
    return asSeen(TimeoutLocks.FREE, seen.queue(), seen.id(), seen.token());
  }

  static Command setRetries(String table, RowName name, int retries) {
    return new Command(
        "UPDATE {rows} SET retries_left = :retries {ofName}",
        Map.of("rows", "{" + table + "}", "ofName", OF_NAME),
        values -> name.bind(values).set("retries", retries));
  }
}
