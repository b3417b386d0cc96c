package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.CaptureNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.TimestampColumns;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reads the progress of snapshots. */
public final class SnapshotList {
  /** SQL expression: percentage of its table that a snapshot {@code s} has read. */
  static final String PERCENT =
      "least(100, 100 * (s.blocks_done + coalesce(s.next_place, 0) / {places})"
          + " / greatest(s.blocks, 1))::integer";

  private static final String ALL =
      """
      SELECT s.recorder, s.captured, s.row_count,
        CASE WHEN s.ended_at IS NULL THEN {percent} ELSE 100 END AS percent, s.begun_at, s.updated_at,
        s.ended_at
      FROM {snapshots} s ORDER BY s.recorder, s.captured
      """;

  private SnapshotList() {}

  /** Returns the last snapshot of each table that has one. */
  public static List<SnapshotState> all(Connection connection, CaptureNames names)
      throws SQLException {
    if (!ServerQueries.exists(connection, names.snapshots())) {
      return List.of();
    }
    Map<String, String> pieces =
        Map.of("percent", PERCENT, "places", Integer.toString(ChunkSize.PLACES_PER_BLOCK));
    try (SqlStatement statement = Sql.in(names.schemas(), ALL, pieces).on(connection)) {
      return statement.all(SnapshotList::state);
    }
  }

  private static SnapshotState state(ResultSet row) throws SQLException {
    return new SnapshotState(
        row.getString("recorder"),
        row.getString("captured"),
        row.getLong("row_count"),
        row.getInt("percent"),
        TimestampColumns.time(row, "begun_at"),
        TimestampColumns.time(row, "updated_at"),
        TimestampColumns.instant(row, "ended_at"));
  }
}
