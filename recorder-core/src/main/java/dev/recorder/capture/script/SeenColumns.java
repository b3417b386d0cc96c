package dev.recorder.capture.script;

import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * That the columns which the catalog shows to a transaction are those that its rows have.
 *
 * <p>At REPEATABLE READ and SERIALIZABLE a transaction goes on seeing the catalog as it was when it
 * began, while its rows are of the table as it is now. All that the trigger knows of types is from
 * the catalog: a value of another type would meet an expression that was made for the former, and
 * with it a cast of the type's owner. So the rows are asked for their types ({@code pg_typeof}
 * evaluates nothing), and the server's caches, which are of the present, whether there is a column
 * more. If they differ, the transaction fails, as one that comes too late always does there.
 *
 * <p>At READ COMMITTED each statement sees what there is, and the lock that the application's
 * statement has on its table keeps it so.
 *
 * @param relation SQL expression of the table's oid
 * @param types as {@link ColumnQuery#types} gave it for the columns that the function knows
 */
record SeenColumns(CaptureRule rule, String relation, String types) {
  private static final String SQL =
      """
      IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
      are_as_they_were := has_column_privilege({relation}, (SELECT (c.relnatts + 1)::smallint
          FROM pg_class AS c WHERE c.oid = {relation}), 'SELECT') IS NULL;
      IF have_changed THEN
        types := {types};
        are_as_they_were := are_as_they_were AND NOT EXISTS (SELECT FROM pg_attribute AS a
            WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
              AND (pg_identify_object_as_address('pg_class'::regclass, a.attrelid, a.attnum)
                ).object_names[3] IS DISTINCT FROM a.attname);
        IF are_as_they_were THEN
          EXECUTE format('SELECT %s FROM (SELECT) AS one LEFT JOIN %s AS r ON false', types,
              CASE TG_OP WHEN 'DELETE' THEN 'old_rows' ELSE 'new_rows' END)
            INTO are_as_they_were;
        END IF;
      ELSIF are_as_they_were THEN
        BEGIN
          IF TG_OP = 'DELETE' THEN
            are_as_they_were := (SELECT {known} FROM (SELECT) AS one
              LEFT JOIN old_rows AS r ON false);
          ELSE
            are_as_they_were := (SELECT {known} FROM (SELECT) AS one
              LEFT JOIN new_rows AS r ON false);
          END IF;
        EXCEPTION WHEN undefined_column THEN
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

  /** Statements, each ended, of changes that have rows. */
  String sql() {
    return SqlTemplate.fill(
        SQL,
        Map.of(
            "relation",
            relation,
            "types",
            ColumnQuery.types(relation),
            "known",
            types,
            "table",
            Quoted.literal(rule.table().logged())));
  }
}
