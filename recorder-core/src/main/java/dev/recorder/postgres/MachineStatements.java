package dev.recorder.postgres;

import dev.recorder.leadership.ControlAction;
import dev.recorder.postgres.DatabaseException.Kind;
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
  private final Registration registration;
  private final String info;

  MachineStatements(SchemaNames schemas, String machine, Registration registration) {
    this.schemas = schemas;
    this.machine = machine;
    this.registration = registration;
    this.info = schemas.table("info_recorders");
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

  private static int count(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1);
    }
  }
}
