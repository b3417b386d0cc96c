package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * That the columns which the catalog shows to a transaction are those that its rows have.
 *
 * <p>At REPEATABLE READ and SERIALIZABLE a transaction goes on seeing the catalog as it was when it
 * began, while its rows are of the table as it is now. All that the trigger knows of columns is
 * from the catalog: a value of another type would meet an expression that was made for the former,
 * and with it a cast of the type's owner; one that is longer would be cut by whoever reads it; and
 * one of a column that has got another's name would be told under that. So the rows are asked for
 * their columns, which evaluates nothing, and the server's caches, which are of the present,
 * whether there is one more. If they differ, the transaction fails, as one that comes too late
 * always does there.
 *
 * <p>Columns may also have become others and the same again, or the key: what the log was told
 * meanwhile such a transaction does not see, and its rows would stand behind the columns in
 * between. So it asks the sequence that numbers what is told, which is of the present too, and
 * tells what it sees if there was something since, which may have been taken back. An index that it
 * sees may be gone, and with it the key: then it fails.
 *
 * <p>At READ COMMITTED each statement sees what there is, and the lock that the application's
 * statement has on its table keeps it so.
 *
 * @param isKnown SQL expression, whether the rows should have the shape that is {@code known}
 * @param known as {@link ColumnQuery#shape} gave it
 */
record SeenColumns(CaptureRule rule, String isKnown, String known) {
  /** What the statements need declared. */
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

  /** Statements, each ended, of any change: whether the log was told columns that are not seen. */
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
   * Statements, each ended, of a TRUNCATE whose bounds name columns: it has no rows that could be
   * asked, but the server describes columns by its caches.
   */
  static String names(CaptureRule rule) {
    return SqlTemplate.fill(
        NAMES,
        Map.of("relation", RelationGuard.ROOT, "table", Quoted.literal(rule.table().logged())));
  }

  /** Statements, each ended, of changes that have rows. */
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
