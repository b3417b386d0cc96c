package dev.recorder.operate.site;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The index by which a log's rows are read. Without it all rows are still recorded, but by reads of
 * the whole table.
 */
public final class ReadingIndex {
  private final String table;

  public ReadingIndex(SchemaNames names, RecorderName recorder) {
    this.table = names.handoffTable(recorder);
  }

  /** Partitions with rows but without a valid index by {@code (xid, id)} that has all of them. */
  private static final Sql WITHOUT =
      Sql.of(
          """
          SELECT t.relid::regclass::text FROM pg_partition_tree(to_regclass(:table)) t
          WHERE t.isleaf AND NOT EXISTS (
            SELECT FROM pg_index i
            WHERE i.indrelid = t.relid AND i.indisvalid AND i.indisready AND i.indpred IS NULL
              AND (SELECT array_agg(a.attname::text ORDER BY k.place)
                FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
                JOIN pg_attribute a ON a.attrelid = t.relid AND a.attnum = k.number
                WHERE k.place <= 2) = '{xid,id}')
          ORDER BY t.relid LIMIT 1
          """);

  /** Returns what is missing, with the remedy; empty if nothing is, or the table does not exist. */
  public String fault(Connection connection) throws SQLException {
    try (SqlStatement statement = WITHOUT.on(connection)) {
      return statement
          .set("table", table)
          .first(
              row ->
                  "%s has no valid index by (xid, id), so that each read takes longer the more rows there are: let an administrator run the output of 'recorder schema', or REINDEX it"
                      .formatted(row.getString(1)))
          .orElse("");
    }
  }
}
