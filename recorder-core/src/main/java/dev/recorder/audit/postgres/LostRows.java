package dev.recorder.audit.postgres;

import dev.recorder.handoff.RowKey;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Makes SQL that records rows which the position has passed without them, as after an index has
 * missed them.
 *
 * <p>The position never returns to a row's transaction, so the row is inserted again by a new
 * transaction. One statement deletes and inserts, so it does both or nothing. A repetition finds no
 * rows, so no row is lost or duplicated. No index can serve its condition.
 */
record LostRows(String table) {

  String remedy(List<RowKey> lost) {
    String rows =
        lost.size() == 1
            ? "this row recorded after all, as a new one"
            : "these " + lost.size() + " rows recorded after all, as new ones";
    return "to have "
        + rows
        + " at the log's end, run REINDEX TABLE CONCURRENTLY "
        + table
        + " and then, both as its owner, what follows; see the runbook, 'Rows that are lost': "
        + Schema.toRun(List.of(sql(lost)));
  }

  /** On one line, for an operator to copy. */
  private static final String REINSERT =
      """
      WITH lost AS (\
      DELETE FROM {table} WHERE xid::text || '/' || id IN ({keys}) RETURNING id, key, payload) \
      INSERT INTO {table} (key, payload) SELECT key, payload FROM lost ORDER BY id
      """;

  private String sql(List<RowKey> lost) {
    String keys =
        lost.stream()
            .map(row -> Quoted.literal(Long.toUnsignedString(row.xid()) + "/" + row.id()))
            .collect(Collectors.joining(", "));
    return Sql.of(REINSERT, Map.of("table", table, "keys", keys)).text();
  }
}
