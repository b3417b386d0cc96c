package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ClusterView;
import dev.recorder.leadership.MachineView;
import dev.recorder.leadership.RecorderView;
import dev.recorder.leadership.Wish;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlArrays;
import dev.recorder.schema.Incumbents;
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
import org.jspecify.annotations.Nullable;

/** The one statement by which a machine sees all others, twenty times a second. */
final class WatchStatement {
  /** Visible for its cost to be tested. */
  final String sql;

  WatchStatement(SchemaNames schemas) {
    String machine = "SELECT name, beat, able, primary_for, stuck, pid, backend_start FROM ";
    String latest = " ORDER BY name DESC, beat DESC LIMIT 1)";
    this.sql =
        "WITH RECURSIVE sessions AS MATERIALIZED"
            + " (SELECT pid, backend_start FROM pg_stat_get_activity(NULL)),"
            // From one machine's latest row to the next one's, past all old versions.
            + " machines AS (("
            + machine
            + schemas.table("info_recorders")
            + latest
            + " UNION ALL SELECT next.* FROM machines m CROSS JOIN LATERAL ("
            + machine
            + schemas.table("info_recorders")
            + " WHERE name < m.name"
            + latest
            + " next)"
            + " SELECT true, i.name, i.beat, s.pid IS NOT NULL, i.able, i.primary_for, i.stuck, 0, NULL, NULL, 0"
            + " FROM machines i LEFT JOIN sessions s USING (pid, backend_start)"
            + " UNION ALL"
            + " SELECT false, r.holder, r.epoch, s.pid IS NOT NULL, NULL, NULL, NULL,"
            + " r.lock_id, r.switch_to, r.switch_why, r.faults"
            + " FROM "
            + schemas.table(Incumbents.TABLE)
            + " r LEFT JOIN sessions s"
            + " ON s.pid = r.holder_pid AND s.backend_start = r.holder_backend_start"
            + " WHERE r.lock_id = ANY (?::int[])";
  }

  /**
   * All machines and the recorders of interest, in one statement. A session is alive if its (pid,
   * backend_start) is in the server's list: pids alone are used again.
   */
  ClusterView on(Connection connection, Set<Integer> lockIds) throws SQLException {
    Map<String, MachineView> machines = new HashMap<>();
    Map<Integer, RecorderView> rows = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, SqlArrays.sorted(lockIds));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String name = row.getString(2);
          if (row.getBoolean(1)) {
            machines.put(
                name,
                new MachineView(
                    name,
                    row.getLong(3),
                    row.getBoolean(4),
                    ids(row.getArray(5)),
                    ids(row.getArray(6)),
                    ids(row.getArray(7))));
          } else {
            int lockId = row.getInt(8);
            rows.put(
                lockId,
                new RecorderView(
                    lockId, name, row.getLong(3), row.getBoolean(4), wish(row), row.getInt(11)));
          }
        }
      }
    }
    return new ClusterView(machines, rows);
  }

  private static @Nullable Wish wish(ResultSet row) throws SQLException {
    String to = row.getString(9);
    return to == null ? null : new Wish(to, Wish.Why.named(row.getString(10)));
  }

  static Set<Integer> ids(Array array) throws SQLException {
    return Arrays.stream((Integer[]) array.getArray()).collect(Collectors.toUnmodifiableSet());
  }
}
