package dev.recorder.postgres;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.MachineSight;
import dev.recorder.leadership.RecorderSight;
import dev.recorder.leadership.Sight;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.slotlog.Term;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The statements of the control session, each one transaction. */
final class ControlStatements {
  private final SchemaNames schemas;
  private final String machine;
  private final String lockIds;
  private final Registration registration;
  private final String info;
  private final String recorders;

  ControlStatements(
      SchemaNames schemas, String machine, Set<Integer> lockIds, Registration registration) {
    this.schemas = schemas;
    this.machine = machine;
    this.lockIds = Registration.array(lockIds);
    this.registration = registration;
    this.info = schemas.table("info_recorders");
    this.recorders = schemas.table("lock_recorders");
  }

  /** Ends one session, if it still is the one that {@code identity} names. */
  int end(Connection connection, RdsManager.Identity identity) throws SQLException {
    String sql =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE pid = ? AND backend_start = ?::timestamptz";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, identity.pid());
      statement.setString(2, identity.backendStart());
      return count(statement);
    }
  }

  /** Takes the lock on this machine's name, which its session holds as long as it lives. */
  void takeName(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT pg_try_advisory_lock(?)")) {
      statement.setLong(1, schemas.machineLockKey(machine));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (row.getBoolean(1)) {
          return;
        }
      }
    }
    throw new DatabaseException(
        Kind.BUSY,
        "another process runs under the machine name '"
            + machine
            + "' ("
            + namesake(connection)
            + "); give each host a [machine] name of its own, or stop the other process");
  }

  private String namesake(Connection connection) throws SQLException {
    String sql =
        "SELECT coalesce(a.client_addr::text, 'local'), a.pid, a.backend_start::timestamptz(0)"
            + " FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
            + " WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted"
            + " AND ((l.classid::bigint << 32) | l.objid::bigint) = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, schemas.machineLockKey(machine));
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? "from "
                + row.getString(1)
                + ", database session "
                + row.getInt(2)
                + ", since "
                + row.getString(3)
            : "its session is just ending";
      }
    }
  }

  void register(Connection connection, RdsManager.Identity identity, Set<Integer> able)
      throws SQLException {
    String sql =
        "INSERT INTO "
            + info
            + " AS i (name, beat, update_time, num_primary, num_secondary,"
            + " active, able, primary_for, pid, backend_start, version, config_hash)"
            + " VALUES (?, 1, clock_timestamp(), ?, ?, '{}', ?::int[], ?::int[], ?,"
            + " ?::timestamptz, ?, ?)"
            + " ON CONFLICT (name) DO UPDATE SET beat = i.beat + 1,"
            + " update_time = excluded.update_time, num_primary = excluded.num_primary,"
            + " num_secondary = excluded.num_secondary, active = excluded.active,"
            + " able = excluded.able, primary_for = excluded.primary_for, pid = excluded.pid,"
            + " backend_start = excluded.backend_start, version = excluded.version,"
            + " config_hash = excluded.config_hash";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, machine);
      statement.setInt(2, registration.primaryFor().size());
      statement.setInt(3, registration.secondaries());
      statement.setString(4, Registration.array(able));
      statement.setString(5, Registration.array(registration.primaryFor()));
      statement.setInt(6, identity.pid());
      statement.setString(7, identity.backendStart());
      statement.setString(8, registration.version());
      statement.setString(9, registration.configHash());
      statement.executeUpdate();
    }
  }

  /** One UPDATE per machine, however many recorders; whether it hit this session's row. */
  boolean beat(Connection connection, ControlAction.Beat beat, RdsManager.Identity identity)
      throws SQLException {
    String sql =
        "UPDATE "
            + info
            + " SET beat = beat + 1, update_time = clock_timestamp(),"
            + " active = ?::int[], able = ?::int[]"
            + " WHERE name = ? AND pid = ? AND backend_start = ?::timestamptz";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, Registration.array(beat.active()));
      statement.setString(2, Registration.array(beat.able()));
      statement.setString(3, machine);
      statement.setInt(4, identity.pid());
      statement.setString(5, identity.backendStart());
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * All machines and the recorders of interest, in one statement. A session is alive if its (pid,
   * backend_start) is in the server's list: pids alone are used again.
   */
  Sight watch(Connection connection) throws SQLException {
    String sql =
        "WITH sessions AS MATERIALIZED"
            + " (SELECT pid, backend_start FROM pg_stat_get_activity(NULL))"
            + " SELECT true, i.name, i.beat, s.pid IS NOT NULL, i.able, i.primary_for, 0"
            + " FROM "
            + info
            + " i LEFT JOIN sessions s USING (pid, backend_start)"
            + " UNION ALL"
            + " SELECT false, r.holder, r.epoch, s.pid IS NOT NULL, NULL, NULL, r.lock_id"
            + " FROM "
            + recorders
            + " r LEFT JOIN sessions s"
            + " ON s.pid = r.holder_pid AND s.backend_start = r.holder_backend_start"
            + " WHERE r.lock_id = ANY (?::int[])";
    Map<String, MachineSight> machines = new HashMap<>();
    Map<Integer, RecorderSight> rows = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, lockIds);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String name = row.getString(2);
          if (row.getBoolean(1)) {
            machines.put(
                name,
                new MachineSight(
                    name,
                    row.getLong(3),
                    row.getBoolean(4),
                    ids(row.getArray(5)),
                    ids(row.getArray(6))));
          } else {
            int lockId = row.getInt(7);
            rows.put(lockId, new RecorderSight(lockId, name, row.getLong(3), row.getBoolean(4)));
          }
        }
      }
    }
    return new Sight(machines, rows);
  }

  private static Set<Integer> ids(Array array) throws SQLException {
    return Arrays.stream((Integer[]) array.getArray()).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Ends the session that holds the judged holder's lock, then its other sessions, only while the
   * heartbeat still is the judged one. Needs no more right than being the same role.
   */
  int evict(Connection connection, ControlAction.Evict evict) throws SQLException {
    String sql =
        "WITH judged AS MATERIALIZED"
            + " (SELECT name FROM "
            + info
            + " WHERE name = ? AND beat = ?),"
            + " holder AS (SELECT l.pid FROM pg_locks l, judged WHERE l.locktype = 'advisory'"
            + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            + " AND l.classid::bigint = (?::bigint & 4294967295) AND l.objid::bigint = ?"
            + " AND l.objsubid = 2 AND l.granted AND l.pid <> pg_backend_pid()),"
            + " others AS (SELECT a.pid FROM pg_stat_activity a, judged"
            + " WHERE a.application_name IN ('recorder/' || name || '/data',"
            + " 'recorder/' || name || '/listen') AND a.usename = current_user)"
            + " SELECT count(pg_terminate_backend(pid)) FROM"
            + " (SELECT pid FROM holder UNION SELECT pid FROM others) sessions";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, evict.holder());
      statement.setLong(2, evict.judgedBeat());
      statement.setInt(3, schemas.lockNamespace());
      statement.setInt(4, evict.lockId());
      return count(statement);
    }
  }

  /** Ends data sessions that a machine left behind when its control session died. */
  int endLeftovers(Connection connection, ControlAction.Take take) throws SQLException {
    String sql =
        "SELECT count(pg_terminate_backend(a.pid)) FROM pg_stat_activity a"
            + " WHERE a.application_name = 'recorder/' || ? || '/data'"
            + " AND a.usename = current_user AND NOT EXISTS (SELECT FROM "
            + info
            + " i JOIN pg_stat_activity c USING (pid, backend_start) WHERE i.name = ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, take.judgedHolder());
      statement.setString(2, take.judgedHolder());
      return count(statement);
    }
  }

  /**
   * Begins a term, if the row is as judged, and writes its receipt. Its own statement, after the
   * one that took the lock: a statement that takes a lock and reads a row reads the row as it was
   * before.
   */
  Optional<ControlAnswer.Taken> beginTerm(
      Connection connection, ControlAction.Take take, RdsManager.Identity identity)
      throws SQLException {
    String sql =
        "WITH before AS (SELECT r.update_time AS settled, r.last_holder, i.update_time AS beat"
            + " FROM "
            + recorders
            + " r LEFT JOIN "
            + info
            + " i ON i.name = coalesce(r.holder, r.last_holder) WHERE r.lock_id = ?),"
            + " term AS (UPDATE "
            + recorders
            + " SET holder = ?, holder_pid = ?, holder_backend_start = ?::timestamptz,"
            + " last_holder = ?, epoch = epoch + 1, primary_up = true,"
            + " update_time = clock_timestamp()"
            + " WHERE lock_id = ? AND epoch = ? AND holder IS NOT DISTINCT FROM ?"
            + " RETURNING lock_id, recorder, epoch, log_uuid, last_slot, first_slot),"
            + " receipt AS (INSERT INTO "
            + schemas.table("takeovers")
            + " (lock_id, recorder, reason, from_machine, to_machine, from_epoch, to_epoch,"
            + " silence_ms, gap_ms, last_slot, first_slot, detail)"
            + " SELECT lock_id, recorder, ?, coalesce(?, last_holder), ?, ?, epoch, ?,"
            + " CASE WHEN last_holder IS NOT NULL THEN round(extract(epoch FROM"
            + " clock_timestamp() - greatest(settled, beat)) * 1000) END,"
            + " last_slot, first_slot, ? FROM term, before RETURNING from_machine, gap_ms)"
            + " SELECT epoch, log_uuid, from_machine, gap_ms FROM term, receipt";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int p = 1;
      statement.setInt(p++, take.lockId());
      statement.setString(p++, machine);
      statement.setInt(p++, identity.pid());
      statement.setString(p++, identity.backendStart());
      statement.setString(p++, machine);
      statement.setInt(p++, take.lockId());
      statement.setLong(p++, take.judgedEpoch());
      statement.setString(p++, take.judgedHolder());
      statement.setString(p++, take.reason().toString());
      statement.setString(p++, take.judgedHolder());
      statement.setString(p++, machine);
      statement.setLong(p++, take.judgedEpoch());
      statement.setLong(p++, take.silenceMillis());
      statement.setString(p, take.why());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(taken(row, take)) : Optional.empty();
      }
    }
  }

  private ControlAnswer.Taken taken(ResultSet row, ControlAction.Take take) throws SQLException {
    Term term = new Term(take.lockId(), row.getLong(1), machine, UUID.fromString(row.getString(2)));
    String gap = row.getString(4);
    return new ControlAnswer.Taken(
        term,
        new ControlAnswer.Receipt(
            take.reason(),
            row.getString(3),
            take.judgedEpoch(),
            Duration.ofMillis(take.silenceMillis()),
            gap == null ? null : Duration.ofMillis(Long.parseLong(gap)),
            take.why()));
  }

  /** Clears the holder, if the row still names the term. */
  boolean endTerm(Connection connection, ControlAction.Release release) throws SQLException {
    String sql =
        "UPDATE "
            + recorders
            + " SET holder = NULL, holder_pid = NULL, holder_backend_start = NULL,"
            + " primary_up = false, update_time = clock_timestamp()"
            + " WHERE lock_id = ? AND epoch = ? AND holder = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, release.lockId());
      statement.setLong(2, release.epoch());
      statement.setString(3, machine);
      return statement.executeUpdate() == 1;
    }
  }

  private static int count(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }
}
