package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Checks that the columns that the catalog shows to a transaction are the columns of its rows.
 *
 * <p>At REPEATABLE READ and SERIALIZABLE a transaction sees the catalog as of its beginning, while
 * its rows have the present columns. The trigger knows columns only from the catalog. So a value of
 * a new type could reach an expression made for the old type, and with it a cast of the type's
 * owner. A longer value could be cut off by a reader. A value could be written under the name of
 * another column. So the rows are tested for their columns, which evaluates no values, and the
 * server's caches, which show the present state, for an additional column. If the columns differ,
 * the transaction fails with a serialization failure.
 *
 * <p>Columns or key may also have changed and changed back. The transaction does not see the {@code
 * schema} rows written meanwhile, and its rows would follow these in the log. So it reads the
 * sequence of told columns, which also shows the present state. If the sequence has advanced, even
 * by a transaction that was rolled back, it writes a {@code schema} row with the columns that it
 * sees. If an index that it sees is gone, and possibly the key with it, the transaction fails.
 *
 * <p>At READ COMMITTED each statement sees the present catalog, and the lock of the application's
 * statement on the table prevents changes.
 *
 * @param isKnown SQL condition: the rows should have the shape {@code known}
 * @param known a shape, as returned by the expression of {@link ColumnQuery#shape}
 */
record SeenColumns(CaptureRule rule, String isKnown, String known) {
  /** Declaration of the variable that the statements use. */
  static final String DECLARATION = "are_as_they_were boolean;";

  private static final String SQL =
      """
      IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
      are_as_they_were := has_column_privilege(TG_RELID, (SELECT (c.relnatts + 1)::smallint
          FROM pg_class AS c WHERE c.oid = TG_RELID), 'SELECT') IS NULL;
      IF are_as_they_were THEN
        BEGIN
          IF NOT ({is_known}) THEN
            EXECUTE format('SELECT %s FROM (SELECT) AS one LEFT JOIN %s AS r ON false', {shape},
                CASE TG_OP WHEN 'DELETE' THEN 'old_rows' ELSE 'new_rows' END)
              INTO are_as_they_were;
          ELSIF TG_OP = 'DELETE' THEN
            are_as_they_were := (SELECT {known} FROM (SELECT) AS one
              LEFT JOIN old_rows AS r ON false);
          ELSE
            are_as_they_were := (SELECT {known} FROM (SELECT) AS one
              LEFT JOIN new_rows AS r ON false);
          END IF;
        EXCEPTION WHEN undefined_column OR datatype_mismatch THEN
          are_as_they_were := false;
        END;
      END IF;
      IF are_as_they_were IS NOT TRUE THEN
        RAISE serialization_failure USING
          MESSAGE = format('columns of table %s have changed since this transaction began',
            {table}),
          HINT = 'Run the transaction again: recorder captures the table, and would write columns'
            ' into its log that are no more.';
      END IF;
      END IF;""";

  private static final String NAMES =
      """
      IF current_setting('transaction_isolation') NOT LIKE 'read %' AND EXISTS (
          SELECT FROM pg_attribute AS a CROSS JOIN LATERAL pg_identify_object_as_address(
            'pg_class'::regclass, a.attrelid, a.attnum) AS i
          WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
            AND i.object_names[3] IS DISTINCT FROM a.attname::text) THEN
        RAISE serialization_failure USING
          MESSAGE = format('columns of table %s have changed since this transaction began',
            {table}),
          HINT = 'Run the transaction again: recorder captures the table, and would write columns'
            ' into its log that are no more.';
      END IF;""";

  private static final String TOLD_BEFORE =
      """
      IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
      is_unseen := (SELECT n.last_value FROM {numbers} AS n) IS DISTINCT FROM (
        SELECT max(t.number) FROM {told} AS t
          WHERE t.recorder = {recorder} AND t.captured = {table});
      IF EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = {relation} AND i.indisunique
          AND pg_index_has_property(i.indexrelid, 'index_scan') IS NULL) THEN
        RAISE serialization_failure USING
          MESSAGE = format('an index of table %s is gone since this transaction began', {table}),
          HINT = 'Run the transaction again: recorder captures the table by its key.';
      END IF;
      END IF;""";

  /**
   * Returns the statements for every change: they set whether there are {@code schema} rows that
   * the transaction does not see, and fail if an index is gone.
   */
  static String toldBefore(CaptureNames names, CaptureRule rule) {
    return SqlTemplate.fill(
        TOLD_BEFORE,
        Map.of(
            "told", names.toldColumns(),
            "numbers", names.toldNumbers(rule),
            "relation", RelationGuard.ROOT,
            "recorder", Quoted.literal(rule.recorder().value()),
            "table", Quoted.literal(rule.table().logged())));
  }

  /**
   * Returns the statements for a TRUNCATE of a partition whose bounds name columns. It has no rows
   * to test, but the server takes names of columns from its caches.
   */
  static String names(CaptureRule rule) {
    return SqlTemplate.fill(
        NAMES,
        Map.of("relation", RelationGuard.ROOT, "table", Quoted.literal(rule.table().logged())));
  }

  /** Returns the statements for changes with rows. */
  String sql() {
    return SqlTemplate.fill(
        SQL,
        Map.of(
            "is_known",
            isKnown,
            "known",
            known,
            "shape",
            ColumnQuery.shape("TG_RELID"),
            "table",
            Quoted.literal(rule.table().logged())));
  }
}
