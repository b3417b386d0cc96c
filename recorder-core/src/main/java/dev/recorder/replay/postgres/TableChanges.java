package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * Applies a range of a table's changes, during which the table itself does not change, in one
 * statement. Only the last change of each row matters, since no state within a window is visible.
 */
final class TableChanges {
  private final Connection connection;

  TableChanges(Connection connection) {
    this.connection = connection;
  }

  private static final Sql ANY =
      Sql.of(
          "SELECT EXISTS (SELECT FROM pg_temp.recorder_changes c WHERE {between})",
          Map.of("between", ChangeRange.BETWEEN));

  boolean any(ChangeRange stretch) throws SQLException {
    try (SqlStatement statement = ANY.on(connection)) {
      return stretch.bind(statement).truth();
    }
  }

  private static final Sql NUMBER =
      Sql.of(
          "SELECT count(*) FROM pg_temp.recorder_changes c WHERE {between}",
          Map.of("between", ChangeRange.BETWEEN));

  long number(ChangeRange stretch) throws SQLException {
    try (SqlStatement statement = NUMBER.on(connection)) {
      return stretch.bind(statement).number();
    }
  }

  /**
   * Applies the changes to the present table.
   *
   * @return the number of changes whose row could not be found: the change lacks a value of the key
   *     or, in a table without a key, no row equals the old row
   */
  long apply(TableShape shape, ChangeRange stretch) throws SQLException {
    if (shape.hasKey()) {
      try (SqlStatement statement = keyed(shape).on(connection)) {
        return stretch.bindWithEarlier(statement).number();
      }
    }
    try (SqlStatement statement = keyless(shape).on(connection)) {
      return stretch.bind(statement).number();
    }
  }

  private static final String KEYED =
      """
      WITH change AS MATERIALIZED (
        SELECT c.* FROM ({last}) AS c
        WHERE (c.era, c.seq, c.slot, c.place) > (:fromEra, :fromSeq, :fromSlot, :fromPlace)),
      removed AS (DELETE FROM ONLY {table} AS t USING change c WHERE c.gone AND {same_key}),
      put AS (
        INSERT INTO {table} AS t ({columns})
        SELECT {values} FROM change c, json_to_record(c.after) AS v ({read})
        WHERE NOT c.gone AND {keys_are_there}
        ON CONFLICT ({key_columns}) DO UPDATE SET {assignments})
      SELECT count(*) FROM change c WHERE NOT ({keys_are_there})
      """;

  private static Sql keyed(TableShape shape) {
    return Sql.of(
        KEYED,
        Map.ofEntries(
            Map.entry("last", LastChangeByKey.of(shape, ChangeRange.BETWEEN_AND_EARLIER)),
            Map.entry("table", shape.table().quoted()),
            Map.entry("same_key", shape.sameKey()),
            Map.entry("keys_are_there", shape.keysAreThere()),
            Map.entry("columns", TableShape.names(shape.columns())),
            Map.entry("values", TableShape.typed(shape.columns(), "v")),
            Map.entry("read", TableShape.read(shape.columns())),
            Map.entry("key_columns", TableShape.names(shape.key())),
            Map.entry("assignments", shape.assignments())));
  }

  /**
   * Adds up how many equal rows to insert or delete. The order does not matter, since every removed
   * row existed before or was added in between. If the table has too few equal rows, it differs
   * from the log's table: rows existed before the capture, or have another text now, such as a
   * {@code regclass} whose object was renamed.
   */
  private static final String KEYLESS =
      """
      WITH change AS MATERIALIZED (
        SELECT c.op, c.before, c.after FROM pg_temp.recorder_changes c WHERE {between}),
      each AS (
        SELECT 1 AS more, {numbered} FROM change c, json_to_record(c.after) AS v ({read})
        WHERE c.op <> 'delete'
        UNION ALL
        SELECT -1, {numbered} FROM change c, json_to_record(c.before) AS v ({read})
        WHERE c.op IN ('delete', 'update')),
      delta AS MATERIALIZED (
        SELECT {whole_e} AS row, sum(e.more) AS more
        FROM each e GROUP BY 1 HAVING sum(e.more) <> 0),
      stored AS (
        SELECT t.ctid AS place, {whole_t} AS row, row_number() OVER (PARTITION BY {whole_t}) AS nth
        FROM ONLY {table} t WHERE EXISTS (SELECT FROM delta d WHERE d.more < 0)),
      removed AS (
        DELETE FROM ONLY {table} WHERE ctid IN (
          SELECT s.place FROM stored s JOIN delta d ON d.row = s.row
          WHERE d.more < 0 AND s.nth <= -d.more)
        RETURNING 1),
      put AS (
        INSERT INTO {table} ({columns})
        SELECT {values} FROM (
          SELECT DISTINCT ON ({whole_e}) * FROM each e WHERE e.more > 0) AS e
          JOIN delta d ON d.row = {whole_e}, generate_series(1, d.more))
      SELECT coalesce(sum(-d.more), 0)::bigint - (SELECT count(*) FROM removed)
      FROM delta d WHERE d.more < 0
      """;

  private static Sql keyless(TableShape shape) {
    return Sql.of(
        KEYLESS,
        Map.of(
            "between", ChangeRange.BETWEEN,
            "table", shape.table().quoted(),
            "columns", TableShape.names(shape.columns()),
            "values", shape.typedNumbered("e"),
            "numbered", shape.numbered("v"),
            "read", TableShape.read(shape.columns()),
            "whole_e", shape.wholeNumbered("e"),
            "whole_t", shape.whole("t")));
  }
}
