package dev.recorder.operate.site;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the rows of slots by their plans; each range is a stretch of the primary key. */
public final class RecordedRows {
  private static final String COUNT =
      """
      SELECT asked.lock_id, sum(counted.row_count)
      FROM unnest(:locks::int[], :after::bigint[], :upTo::bigint[])
          AS asked (lock_id, after_slot, up_to)
        CROSS JOIN LATERAL (
          SELECT max(s.row_count) AS row_count FROM {slots} s
          WHERE s.lock_id = asked.lock_id AND s.slot > asked.after_slot AND s.slot <= asked.up_to
          GROUP BY s.slot) counted
      GROUP BY asked.lock_id
      """;

  private final Sql count;

  public RecordedRows(SchemaNames schemas) {
    this.count = Sql.in(schemas, COUNT);
  }

  public Map<Integer, Long> of(Connection connection, List<SlotRange> ranges) throws SQLException {
    Map<Integer, Long> rows = new HashMap<>();
    try (SqlStatement statement = count.on(connection);
        ResultSet row =
            statement
                .setArray("locks", "int", ranges.stream().map(SlotRange::lockId).toArray())
                .setArray("after", "bigint", ranges.stream().map(SlotRange::after).toArray())
                .setArray("upTo", "bigint", ranges.stream().map(SlotRange::upTo).toArray())
                .query()) {
      while (row.next()) {
        rows.put(row.getInt(1), row.getLong(2));
      }
    }
    return rows;
  }
}
