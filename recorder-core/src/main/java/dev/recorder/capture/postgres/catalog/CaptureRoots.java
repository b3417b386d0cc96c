package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.script.ChosenColumns;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * Which relation each capture is of, as a query that may go on with WHERE over the table of
 * captures, {@code k}. It has that table's columns, and {@code version}, which another row has
 * after each change; {@code function}, the oid of the triggers' function; {@code root}, the
 * relation, null if it is gone or has no trigger of it; {@code name_taken}, whether another table
 * has the name by now; {@code taker}, what that is called in the same log, if it is captured
 * itself: then it is no other table in its place; and {@code left_out} and {@code chosen}, the
 * numbers of the columns that are left out, and captured, under whatever name.
 *
 * <p>After a restore from a dump {@code root} is the relation that took its place, as the function
 * itself has it, and {@code relation} another.
 */
public final class CaptureRoots {
  private static final String SQL =
      """
      SELECT k.*, k.xmin::text AS version, f.oid AS function, f.prosrc, o.root, {left_out} AS left_out, {chosen} AS chosen,
        other.oid IS NOT NULL AND other.taker IS NULL AS name_taken, other.taker
      FROM {captures} k
      LEFT JOIN pg_proc f ON f.proname = k.function_name AND f.pronamespace = {control}
      CROSS JOIN LATERAL (SELECT CASE
          WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = k.relation AND t.tgfoid = f.oid)
            THEN k.relation
          ELSE (SELECT r.oid FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
            WHERE n.nspname = k.schema_name AND r.relname = k.table_name
              AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid AND t.tgfoid = f.oid)
              AND (k.only_columns = '{}' AND k.except_columns = '{}'
                OR k.fingerprint = {fingerprint} AND NOT EXISTS (SELECT FROM {told} t
                  WHERE t.recorder = k.recorder AND t.captured = k.captured AND NOT t.is_first)))
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
  public static final String PURPOSE =
      """
      CASE WHEN k.entity_sql IS NULL THEN 'CHANGES'
          WHEN EXISTS (SELECT FROM pg_trigger AS t
            WHERE t.tgfoid = k.function AND t.tgnargs > 0)
          THEN 'ENTITIES_LOOKED_UP' ELSE 'ENTITIES' END""";

  private CaptureRoots() {}

  public static String of(CaptureNames names) {
    return of(names, names.toldColumns());
  }

  /**
   * The same for whoever may only read which tables are captured: what the log was told since makes
   * a difference for setting up, checking and snapshots, which need more rights.
   */
  public static String of(CaptureNames names, Connection connection) throws SQLException {
    try (SqlStatement statement = MAY_READ.on(connection)) {
      boolean mayRead = statement.set("told", names.toldColumns()).truth();
      return of(names, mayRead ? names.toldColumns() : NOTHING_TOLD);
    }
  }

  private static final Sql MAY_READ =
      Sql.of("SELECT coalesce(has_table_privilege(to_regclass(:told), 'SELECT'), false)");

  private static final String NOTHING_TOLD =
      """
      (SELECT NULL::text AS recorder, NULL::text AS captured, NULL::int[] AS chosen,
        NULL::int[] AS left_out, NULL::text AS set_up, NULL::boolean AS is_first WHERE false)""";

  private static String of(CaptureNames names, String told) {
    return SqlTemplate.fill(
        SQL,
        Map.of(
            "captures",
            names.captures(),
            "told",
            told,
            "fingerprint",
            ColumnQuery.fingerprint("r.oid"),
            "chosen",
            ChosenColumns.chosen("k.only_numbers", told, "k.recorder", "k.captured", "k.set_up"),
            "left_out",
            ChosenColumns.leftOut("k.except_numbers", told, "k.recorder", "k.captured", "k.set_up"),
            "control",
            Quoted.literal(names.schemas().control()) + "::regnamespace"));
  }
}
