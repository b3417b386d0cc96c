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
 * The query that finds the relation of each capture. A WHERE clause over the table of captures,
 * {@code k}, may follow it. Besides that table's columns it has:
 *
 * <ul>
 *   <li>{@code version}, which changes with the capture's row
 *   <li>{@code function}, the oid of the triggers' function
 *   <li>{@code root}, the oid of the captured relation; null if the relation or its trigger is gone
 *   <li>{@code name_taken}, whether another table, which is not captured by the same recorder, now
 *       has the name
 *   <li>{@code taker}, the name in the log of another table that now has the name, if it is
 *       captured by the same recorder
 *   <li>{@code left_out} and {@code chosen}, the numbers of the left-out and of the captured
 *       columns
 * </ul>
 *
 * <p>After a restore from a dump {@code root} is the restored relation, which has a trigger with
 * the capture's function, and differs from {@code relation}.
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

  /** SQL expression: the {@code Purpose} of the triggers of a row {@code k} of this query. */
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
   * Returns the query for a role that may lack the right to read the notes on {@code schema} rows.
   * Only set-up, checks and snapshots need these notes, and they need further rights anyway.
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
