package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * Which relation each capture is of, as a query that may go on with WHERE over the table of
 * captures, {@code k}. It has that table's columns, and {@code function}, the oid of the triggers'
 * function; {@code root}, the relation, null if it is gone or has no trigger of it; {@code
 * name_taken}, whether another table has the name by now; and {@code taker}, what that is called in
 * the same log, if it is captured itself: then it is no other table in its place.
 *
 * <p>After a restore from a dump {@code root} is the relation that took its place, as the function
 * itself has it, and {@code relation} another.
 */
final class CaptureRoots {
  private static final String SQL =
      """
      SELECT k.*, f.oid AS function, f.prosrc, o.root,
        other.oid IS NOT NULL AND other.taker IS NULL AS name_taken, other.taker
      FROM {captures} k
      LEFT JOIN pg_proc f ON f.proname = k.function_name AND f.pronamespace = {control}
      CROSS JOIN LATERAL (SELECT CASE
          WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = k.relation AND t.tgfoid = f.oid)
            THEN k.relation
          ELSE (SELECT r.oid FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
            WHERE n.nspname = k.schema_name AND r.relname = k.table_name
              AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid AND t.tgfoid = f.oid))
          END AS root) AS o
      LEFT JOIN LATERAL (SELECT r.oid, (SELECT c.captured FROM {captures} c
            JOIN pg_proc p ON p.proname = c.function_name AND p.pronamespace = {control}
            JOIN pg_trigger t ON t.tgrelid = c.relation AND t.tgfoid = p.oid
            WHERE c.relation = r.oid AND c.recorder = k.recorder AND c.captured <> k.captured
            LIMIT 1) AS taker
          FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
          WHERE n.nspname = k.schema_name AND r.relname = k.table_name
            AND r.relkind IN ('r', 'p', 'f') AND r.oid <> coalesce(o.root, k.relation)
        ) AS other ON true""";

  /** What its triggers are for, as {@code Purpose} has it, of such a row {@code k}. */
  static final String PURPOSE =
      """
      CASE WHEN k.entity_sql IS NULL THEN 'CHANGES'
          WHEN EXISTS (SELECT FROM pg_trigger AS t
            WHERE t.tgfoid = k.function AND t.tgnargs > 0)
          THEN 'ENTITIES_LOOKED_UP' ELSE 'ENTITIES' END""";

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
