package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Which relation each capture is of, as a query that may go on with WHERE over the table of
 * captures, {@code k}. It has that table's columns, and {@code function}, the oid of the triggers'
 * function; {@code root}, the relation, null if it is gone or has no trigger of it; {@code
 * name_taken}, whether another table has the name by now.
 *
 * <p>After a restore from a dump {@code root} is the relation that took its place, as the function
 * itself has it, and {@code relation} another.
 */
final class CaptureRoots {
  private static final String SQL =
      """
      SELECT k.*, f.oid AS function, f.prosrc, o.root,
        EXISTS (SELECT FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
          WHERE n.nspname = k.schema_name AND r.relname = k.table_name
            AND r.relkind IN ('r', 'p', 'f') AND r.oid <> coalesce(o.root, k.relation)
        ) AS name_taken
      FROM {captures} k
      LEFT JOIN pg_proc f ON f.proname = k.function_name AND f.pronamespace = {control}
      CROSS JOIN LATERAL (SELECT CASE
          WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = k.relation AND t.tgfoid = f.oid)
            THEN k.relation
          ELSE (SELECT r.oid FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
            WHERE n.nspname = k.schema_name AND r.relname = k.table_name
              AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid AND t.tgfoid = f.oid))
          END AS root) AS o""";

  private CaptureRoots() {}

  static String of(CaptureNames names) {
    return SqlTemplate.fill(
        SQL,
        Map.of(
            "captures",
            names.captures(),
            "control",
            Quoted.literal(names.schemas().control()) + "::regnamespace"));
  }
}
