package dev.recorder.postgres;

import dev.recorder.leadership.MachineSight;
import dev.recorder.leadership.RecorderSight;
import dev.recorder.leadership.Sight;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The one statement by which a machine sees all others, twenty times a second. */
final class WatchStatement {
  private final String lockIds;
  private final String sql;

  WatchStatement(SchemaNames schemas, Set<Integer> lockIds) {
    this.lockIds = Registration.array(lockIds);
    this.sql =
        "WITH sessions AS MATERIALIZED"
            + " (SELECT pid, backend_start FROM pg_stat_get_activity(NULL))"
            + " SELECT true, i.name, i.beat, s.pid IS NOT NULL, i.able, i.primary_for, 0"
            + " FROM "
            + schemas.table("info_recorders")
            + " i LEFT JOIN sessions s USING (pid, backend_start)"
            + " UNION ALL"
            + " SELECT false, r.holder, r.epoch, s.pid IS NOT NULL, NULL, NULL, r.lock_id"
            + " FROM "
            + schemas.table("lock_recorders")
            + " r LEFT JOIN sessions s"
            + " ON s.pid = r.holder_pid AND s.backend_start = r.holder_backend_start"
            + " WHERE r.lock_id = ANY (?::int[])";
  }

  /**
   * All machines and the recorders of interest, in one statement. A session is alive if its (pid,
   * backend_start) is in the server's list: pids alone are used again.
   */
  Sight on(Connection connection) throws SQLException {
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
}
