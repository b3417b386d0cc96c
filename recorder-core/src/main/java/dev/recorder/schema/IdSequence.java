package dev.recorder.schema;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * The sequence of a log's ids. Copies of rows often come without the sequence. Then new rows get
 * ids of old rows, or lower ones, and the ids of a finished block would be assigned twice.
 */
public final class IdSequence {
  private static final String BEHIND =
      """
      SELECT s.seq, h.largest
      FROM (SELECT pg_get_serial_sequence(:table, 'id')::regclass AS seq) s
      JOIN pg_class c ON c.oid = s.seq
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_sequences p ON p.schemaname = n.nspname AND p.sequencename = c.relname,
        (SELECT greatest((SELECT max(id) FROM {rows}),
          (SELECT max(block) << {bits} FROM {blocks} WHERE lock_id = :lock)) AS largest) h
      WHERE h.largest > coalesce(p.last_value, 0)
        AND (has_sequence_privilege(s.seq, 'SELECT') OR has_sequence_privilege(s.seq, 'USAGE'))
      """;

  /**
   * The newest rows; there is no index by id alone, and a starting host must not read a long
   * backlog.
   */
  private static final String NEWEST =
      "(SELECT id FROM {table} ORDER BY xid DESC, id DESC LIMIT 1000) AS newest";

  private final SchemaNames names;
  private final String table;

  public IdSequence(SchemaNames names, RecorderName recorder) {
    this.names = names;
    this.table = names.handoffTable(recorder);
  }

  /**
   * Returns why the sequence is behind the rows, with the remedy; empty if it is not, or if this
   * role may not see it.
   */
  public String behindRows(Connection connection, int lockId) throws SQLException {
    return behind(connection, lockId, table);
  }

  /** Compares the sequence with only the newest thousand rows. */
  String behindNewest(Connection connection, int lockId) throws SQLException {
    return behind(connection, lockId, SqlTemplate.fill(NEWEST, Map.of("table", table)));
  }

  private String behind(Connection connection, int lockId, String rows) throws SQLException {
    Sql sql = Sql.in(names, BEHIND, Map.of("rows", rows, "bits", Integer.toString(Block.BITS)));
    try (SqlStatement statement = sql.on(connection)) {
      return statement
          .set("table", table)
          .set("lock", lockId)
          .first(
              row ->
                  """
                  ids of new rows would be those of old ones: sequence %1$s did not come with the \
                  rows; first run: SELECT pg_catalog.setval('%1$s', \
                  greatest(%2$s, (SELECT max(id) FROM %3$s)));\
                  """
                      .formatted(row.getString(1), row.getLong(2), table))
          .orElse("");
    }
  }
}
