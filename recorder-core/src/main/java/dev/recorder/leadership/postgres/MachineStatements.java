package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ControlAction;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;

/**
 * A machine's own row in {@code info_recorders}, the lock on its name, and its former session; each
 * statement one transaction of the control session.
 */
final class MachineStatements {
  private final SchemaNames schemas;
  private final String machine;
  private final String info;
  private final String recorders;

  MachineStatements(SchemaNames schemas, String machine) {
    this.schemas = schemas;
    this.machine = machine;
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

  /**
   * Says what this machine is. A recorder whose primary it has become since it last said so is
   * wished for, one whose primary it is no more is not: so an operator's change is told from the
   * mere return of a primary, also when the machine was restarted for it.
   *
   * <p>A wish waits for the row's lock no longer than the session's lock time-out lets it.
   */
  void register(
      Connection connection,
      Registration registration,
      RdsManager.Identity identity,
      Set<Integer> active,
      Set<Integer> able)
      throws SQLException {
    String sql =
        "WITH before AS MATERIALIZED (SELECT primary_for FROM "
            + info
            + " WHERE name = ?), flips AS (UPDATE "
            + recorders
            + " r SET switch_to = CASE WHEN gained THEN ? END,"
            + " switch_why = CASE WHEN gained THEN 'flip' END FROM"
            + " (SELECT lock_id AS flipped, lock_id = ANY (?::int[]) AS gained FROM before, "
            + recorders
            + " WHERE (lock_id = ANY (?::int[])) <> (lock_id = ANY (primary_for))) changes"
            + " WHERE r.lock_id = flipped AND CASE WHEN gained THEN r.holder IS DISTINCT FROM ?"
            + " ELSE r.switch_to = ? AND r.switch_why = 'flip' END)"
            + " INSERT INTO "
            + info
            + " AS i (name, beat, update_time, num_primary, num_secondary, active,"
            + " able, primary_for, pid, backend_start, version, config_hash, config_sections)"
            + " VALUES (?, 1, clock_timestamp(), ?, ?, ?::int[], ?::int[], ?::int[], ?,"
            + " ?::timestamptz, ?, ?, ?::json)"
            + " ON CONFLICT (name) DO UPDATE SET beat = i.beat + 1,"
            + " update_time = excluded.update_time, num_primary = excluded.num_primary,"
            + " num_secondary = excluded.num_secondary, active = excluded.active,"
            + " able = excluded.able, primary_for = excluded.primary_for, pid = excluded.pid,"
            + " backend_start = excluded.backend_start, version = excluded.version,"
            + " stuck = '{}', config_hash = excluded.config_hash,"
            + " config_sections = excluded.config_sections";
    String primaryFor = SqlArrays.sorted(registration.primaryFor());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int p = 1;
      statement.setString(p++, machine);
      statement.setString(p++, machine);
      statement.setString(p++, primaryFor);
      statement.setString(p++, primaryFor);
      statement.setString(p++, machine);
      statement.setString(p++, machine);
      statement.setString(p++, machine);
      statement.setInt(p++, registration.primaryFor().size());
      statement.setInt(p++, registration.secondaries());
      statement.setString(p++, SqlArrays.sorted(active));
      statement.setString(p++, SqlArrays.sorted(able));
      statement.setString(p++, primaryFor);
      statement.setInt(p++, identity.pid());
      statement.setString(p++, identity.backendStart());
      statement.setString(p++, registration.version());
      statement.setString(p++, registration.configHash());
      statement.setString(p, registration.sectionsJson());
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
            + " active = ?::int[], able = ?::int[], stuck = ?::int[]"
            // By the index that shows the latest version first. Nobody else writes this row.
            + " WHERE ctid = (SELECT ctid FROM "
            + info
            + " WHERE name = ? ORDER BY beat DESC LIMIT 1)"
            + " AND name = ? AND pid = ? AND backend_start = ?::timestamptz";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, SqlArrays.sorted(beat.active()));
      statement.setString(2, SqlArrays.sorted(beat.able()));
      statement.setString(3, SqlArrays.sorted(beat.stuck()));
      statement.setString(4, machine);
      statement.setString(5, machine);
      statement.setInt(6, identity.pid());
      statement.setString(7, identity.backendStart());
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
