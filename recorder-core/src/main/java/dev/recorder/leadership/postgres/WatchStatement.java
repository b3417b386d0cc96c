package dev.recorder.leadership.postgres;

import dev.recorder.leadership.ClusterView;
import dev.recorder.leadership.HandoverRequest;
import dev.recorder.leadership.MachineView;
import dev.recorder.leadership.RecorderView;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The one statement by which a host watches all others, twenty times a second. */
final class WatchStatement {
  /**
   * Steps from the latest row version of one host to that of the next, without reading old
   * versions.
   */
  private static final String WATCH =
      """
      WITH RECURSIVE sessions AS MATERIALIZED (
        SELECT pid, backend_start FROM pg_stat_get_activity(NULL)),
      machines AS (
        (SELECT name, beat, able, primary_for, stuck, pid, backend_start
        FROM {info_recorders} ORDER BY name DESC, beat DESC LIMIT 1)
        UNION ALL
        SELECT next.* FROM machines m CROSS JOIN LATERAL (
          SELECT name, beat, able, primary_for, stuck, pid, backend_start
          FROM {info_recorders} WHERE name < m.name ORDER BY name DESC, beat DESC LIMIT 1) next)
      SELECT true AS is_machine, i.name, i.beat AS number, s.pid IS NOT NULL AS lives, i.able,
        i.primary_for, i.stuck, 0 AS lock_id, NULL AS switch_to, NULL AS switch_why, 0 AS faults
      FROM machines i LEFT JOIN sessions s USING (pid, backend_start)
      UNION ALL
      SELECT false, r.holder, r.epoch, s.pid IS NOT NULL, NULL, NULL, NULL,
        r.lock_id, r.switch_to, r.switch_why, r.faults
      FROM {incumbents} r
      LEFT JOIN sessions s ON s.pid = r.holder_pid AND s.backend_start = r.holder_backend_start
      WHERE r.lock_id = ANY (:lockIds::int[])
      """;

  /** Visible for a test of its cost. */
  final Sql sql;

  WatchStatement(SchemaNames schemas) {
    this.sql = Sql.in(schemas, WATCH);
  }

  /**
   * Reads all hosts and the recorders of interest, in one statement. A session is alive if its
   * (pid, backend_start) is in the server's list, since pids alone are reused.
   */
  ClusterView on(Connection connection, Set<Integer> lockIds) throws SQLException {
    Map<String, MachineView> machines = new HashMap<>();
    Map<Integer, RecorderView> rows = new HashMap<>();
    try (SqlStatement statement = sql.on(connection);
        ResultSet row = statement.set("lockIds", SqlArrays.sorted(lockIds)).query()) {
      while (row.next()) {
        String name = row.getString("name");
        if (row.getBoolean("is_machine")) {
          machines.put(
              name,
              new MachineView(
                  name,
                  row.getLong("number"),
                  row.getBoolean("lives"),
                  ids(row.getArray("able")),
                  ids(row.getArray("primary_for")),
                  ids(row.getArray("stuck"))));
        } else {
          int lockId = row.getInt("lock_id");
          rows.put(
              lockId,
              new RecorderView(
                  lockId,
                  name,
                  row.getLong("number"),
                  row.getBoolean("lives"),
                  request(row),
                  row.getInt("faults")));
        }
      }
    }
    return new ClusterView(machines, rows);
  }

  private static @Nullable HandoverRequest request(ResultSet row) throws SQLException {
    String to = row.getString("switch_to");
    return to == null
        ? null
        : new HandoverRequest(to, HandoverRequest.Why.named(row.getString("switch_why")));
  }

  static Set<Integer> ids(Array array) throws SQLException {
    return Arrays.stream((Integer[]) array.getArray()).collect(Collectors.toUnmodifiableSet());
  }
}
