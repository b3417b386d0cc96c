package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ControlAction;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;

/**
 * The heartbeats of a host in its row of {@code info_recorders}, and the steps before the first
 * one: end its former session, lock its name, register. Each statement is one transaction of the
 * control session.
 */
final class Heartbeats {
  private final String machine;
  private final long nameKey;
  private final long databaseKey;
  private final Sql register;
  private final Sql beat;

  Heartbeats(SchemaNames schemas, String machine) {
    this.machine = machine;
    this.nameKey = schemas.machineLockKey(machine);
    this.databaseKey = SchemaNames.machineKeyOfDatabase(machine);
    this.register = Sql.in(schemas, REGISTER);
    this.beat = Sql.in(schemas, BEAT);
  }

  private static final Sql END =
      Sql.of(
          """
          SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE pid = :pid AND backend_start = :backendStart::timestamptz
          """);

  /** Ends the session that {@code identity} names, if it still exists. */
  int end(Connection connection, RdsManager.Identity identity) throws SQLException {
    try (SqlStatement statement = END.on(connection)) {
      return (int)
          statement
              .set("pid", identity.pid())
              .set("backendStart", identity.backendStart())
              .number();
    }
  }

  private static final Sql TAKE_NAME = Sql.of("SELECT pg_try_advisory_lock(:key)");

  /**
   * Takes the two locks on this host's name, which its session holds as long as it lives. The first
   * is of this schema, and peers wait for it. The second is of the database: evictions end sessions
   * by the host's name, and would also end those of a host with the same name in another schema.
   *
   * @return empty if both are taken, else which session has one of them
   */
  Optional<String> takeName(Connection connection) throws SQLException {
    Optional<String> here = take(connection, nameKey, "");
    return here.isPresent()
        ? here
        : take(connection, databaseKey, ", with another [postgredb] schema");
  }

  private Optional<String> take(Connection connection, long key, String where) throws SQLException {
    try (SqlStatement statement = TAKE_NAME.on(connection)) {
      if (statement.set("key", key).truth()) {
        return Optional.empty();
      }
    }
    return Optional.of(
        "another process runs under the name '"
            + machine
            + "' ("
            + namesake(connection, key)
            + where
            + "); give each host a [machine] name of its own, or stop the other process");
  }

  private static final Sql NAMESAKE =
      Sql.of(
          """
          SELECT coalesce(a.client_addr::text, 'local'), a.pid, a.backend_start::timestamptz(0)
          FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND ((l.classid::bigint << 32) | l.objid::bigint) = :key
          """);

  private String namesake(Connection connection, long key) throws SQLException {
    try (SqlStatement statement = NAMESAKE.on(connection)) {
      return statement
          .set("key", key)
          .first(
              row ->
                  "from "
                      + row.getString(1)
                      + ", database session "
                      + row.getInt(2)
                      + ", since "
                      + row.getString(3))
          .orElse("its session is just ending");
    }
  }

  private static final String REGISTER =
      """
      WITH before AS MATERIALIZED (
        SELECT primary_for, update_time, pid, backend_start
        FROM {info_recorders} WHERE name = :machine),
      former AS (
        SELECT n.lock_id, update_time FROM before
        JOIN {incumbents} n ON n.holder_pid = pid AND n.holder_backend_start = backend_start
        FOR UPDATE OF n SKIP LOCKED),
      signs AS (
        UPDATE {incumbents} n SET last_beat = former.update_time
        FROM former WHERE n.lock_id = former.lock_id),
      flips AS (
        UPDATE {lock_recorders} r
        SET switch_to = CASE WHEN gained THEN :machine END,
          switch_why = CASE WHEN gained THEN 'flip' END
        FROM (
          SELECT lock_id AS flipped, lock_id = ANY (:primaryFor::int[]) AS gained
          FROM before, {lock_recorders}
          WHERE (lock_id = ANY (:primaryFor::int[])) <> (lock_id = ANY (primary_for))) changes
        WHERE r.lock_id = flipped
          AND CASE WHEN gained THEN r.holder IS DISTINCT FROM :machine
            ELSE r.switch_to = :machine AND r.switch_why = 'flip' END)
      INSERT INTO {info_recorders} AS i (name, beat, update_time, num_primary, num_secondary,
        active, able, primary_for, pid, backend_start, version, config_hash, config_sections)
      VALUES (:machine, 1, clock_timestamp(), :primaries, :secondaries,
        :active::int[], :able::int[], :primaryFor::int[], :pid, :backendStart::timestamptz,
        :version, :hash, :sections::json)
      ON CONFLICT (name) DO UPDATE SET beat = i.beat + 1, update_time = excluded.update_time,
        num_primary = excluded.num_primary, num_secondary = excluded.num_secondary,
        active = excluded.active, able = excluded.able, primary_for = excluded.primary_for,
        pid = excluded.pid, backend_start = excluded.backend_start, version = excluded.version,
        stuck = CASE WHEN (i.pid, i.backend_start) = (excluded.pid, excluded.backend_start)
          THEN i.stuck ELSE '{}' END,
        config_hash = excluded.config_hash,
        config_sections = excluded.config_sections
      RETURNING update_time
      """;

  /**
   * Writes this host's row. If this host has become a recorder's primary since its last
   * registration, the recorder is requested. If it has ceased to be, its request is removed. This
   * distinguishes an operator's change from the mere return of a primary, even if the host was
   * restarted for the change. On the same session, the row keeps the recorders that are stuck. For
   * the terms of this host's former session, the last beat is kept ({@link LastSign}); a row that
   * is locked is skipped, as its recorder is just changing hands.
   *
   * <p>A request waits for the row's lock for at most the session's lock time-out.
   *
   * @return the database's time
   */
  Instant register(
      Connection connection,
      Registration registration,
      RdsManager.Identity identity,
      Set<Integer> active,
      Set<Integer> able)
      throws SQLException {
    try (SqlStatement statement = register.on(connection)) {
      return statement
          .set("machine", machine)
          .set("primaryFor", SqlArrays.sorted(registration.primaryFor()))
          .set("primaries", registration.primaryFor().size())
          .set("secondaries", registration.secondaries())
          .set("active", SqlArrays.sorted(active))
          .set("able", SqlArrays.sorted(able))
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .set("version", registration.version())
          .set("hash", registration.configHash())
          .set("sections", registration.sectionsJson())
          .only(Heartbeats::time);
    }
  }

  /** Uses the index that returns the latest version first. Only this host writes this row. */
  private static final String BEAT =
      """
      UPDATE {info_recorders} SET beat = beat + 1, update_time = clock_timestamp(),
        active = :active::int[], able = :able::int[], stuck = :stuck::int[]
      WHERE ctid = (
          SELECT ctid FROM {info_recorders} WHERE name = :machine ORDER BY beat DESC LIMIT 1)
        AND name = :machine AND pid = :pid AND backend_start = :backendStart::timestamptz
      RETURNING update_time
      """;

  /**
   * Renews the host's row: one UPDATE, whatever the number of recorders.
   *
   * @return the database's time; empty if the row is not this session's
   */
  Optional<Instant> beat(
      Connection connection, ControlAction.Beat beat, RdsManager.Identity identity)
      throws SQLException {
    try (SqlStatement statement = this.beat.on(connection)) {
      return statement
          .set("active", SqlArrays.sorted(beat.active()))
          .set("able", SqlArrays.sorted(beat.able()))
          .set("stuck", SqlArrays.sorted(beat.stuck()))
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .first(Heartbeats::time);
    }
  }

  private static Instant time(ResultSet row) throws SQLException {
    return row.getObject(1, OffsetDateTime.class).toInstant();
  }
}
