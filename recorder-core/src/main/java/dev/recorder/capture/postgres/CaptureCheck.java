package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.ColumnQuery;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Looks for changes that no trigger of ours sees.
 *
 * <p>A capture's tables are those that have a trigger of its function, and the partitions below
 * them. What happened while a trigger was disabled cannot be seen afterwards.
 */
final class CaptureCheck {
  private final Connection connection;
  private final CaptureNames names;
  private final Sql all;

  CaptureCheck(Connection connection, CaptureNames names) {
    this.connection = connection;
    this.names = names;
    this.all = Sql.in(names.schemas(), ALL, pieces(names));
  }

  private static Map<String, String> pieces(CaptureNames names) {
    return Map.of(
        "columns", ColumnQuery.columns("relation", ColumnChoice.ALL),
        "control", "'" + names.schemas().control() + "'::regnamespace",
        "handoff", "'" + names.schemas().handoff() + ".'");
  }

  private static final String ALL =
      """
      WITH armed AS (
        SELECT c.recorder, c.captured, c.told, c.schema_name, c.table_name, c.only_columns,
          c.except_columns, c.key_columns, c.entity_sql, f.oid AS function, f.prosrc,
          (SELECT min(coalesce(pg_partition_root(t.tgrelid), t.tgrelid)::oid) FROM pg_trigger t
            WHERE t.tgfoid = f.oid AND t.tgnargs = 0) AS relation
        FROM {captures} c LEFT JOIN pg_proc f
          ON f.proname = c.function_name AND f.pronamespace = {control}),
      below AS (
        SELECT a.*, r.oid AS below, r.relkind
        FROM armed a CROSS JOIN LATERAL (
          SELECT a.relation AS oid UNION SELECT t.relid FROM pg_partition_tree(a.relation) t) AS i
        JOIN pg_class r ON r.oid = i.oid),
      triggers AS (
        SELECT b.*, (SELECT count(*) FROM pg_trigger t
            WHERE t.tgrelid = b.below AND t.tgfoid = b.function) AS present,
          (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = b.below AND t.tgfoid = b.function
            AND t.tgenabled IN ('O', 'A')) AS enabled
        FROM below b)
      SELECT recorder, captured, true, 'its table is gone, or its triggers: remove the capture, or'
          ' add it with --again' AS text
        FROM armed WHERE relation IS NULL
      UNION ALL
      SELECT recorder, captured, true, CASE WHEN present = 0 AND below <> relation
          THEN format('partition %s is not captured when it is written to itself: add the capture'
            ' with --again', below::regclass)
          WHEN present < 4 THEN format('table %s has %s of 4 triggers: add the capture with --again',
            below::regclass, present)
          ELSE format('table %s has triggers that are disabled: ALTER TABLE %s ENABLE TRIGGER ...;'
            ' what was changed meanwhile was not captured', below::regclass, below::regclass) END
        FROM triggers WHERE relation IS NOT NULL AND enabled < 4
      UNION ALL
      SELECT recorder, captured, false, format('the table is called %s now, and still %s in the'
          ' log', relation::regclass, captured)
        FROM armed a JOIN pg_class r ON r.oid = a.relation
        JOIN pg_namespace n ON n.oid = r.relnamespace
        WHERE (n.nspname, r.relname) <> (a.schema_name, a.table_name)
      UNION ALL
      SELECT recorder, captured, false, 'columns have changed since it was set up, and each statement'
          ' asks the catalog for them: add the capture with --again, which makes it fast again'
        FROM armed WHERE relation IS NOT NULL AND entity_sql IS NULL AND position(
          ARRAY(SELECT a.xmin FROM pg_attribute a
            WHERE a.attrelid = relation AND a.attnum > 0 ORDER BY a.attnum)::text IN prosrc) = 0
      UNION ALL
      SELECT recorder, captured, true, format('the columns (%s) that its log takes for its key are'
          ' its key no longer: give it one, and add the capture with --again',
          array_to_string(key_columns, ', '))
        FROM armed WHERE relation IS NOT NULL AND key_columns <> '{}'
          AND key_columns <> ARRAY(SELECT k.name::text FROM (
      {columns}) AS k
            WHERE k.key_position > 0 ORDER BY k.key_position)
      UNION ALL
      SELECT recorder, captured, false, format('has columns that are not captured: %s', missing)
        FROM armed, LATERAL (SELECT string_agg(wanted, ', ') AS missing
          FROM unnest(only_columns) wanted WHERE NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = relation AND a.attname = wanted AND NOT a.attisdropped)) AS m
        WHERE relation IS NOT NULL AND missing IS NOT NULL
      UNION ALL
      SELECT recorder, captured, false, format('nothing limits what is in %s, and a row of more than'
          ' %s bytes (max_payload) fails its transaction: raise max_payload, or leave columns out'
          ' with --except', wide, bytes)
        FROM armed, LATERAL (
          SELECT substring(pg_get_constraintdef(k.oid) FROM '<= \\(?([0-9]+)')::bigint AS bytes
          FROM pg_constraint k WHERE k.conname = :limit
            AND k.conrelid = to_regclass({handoff} || recorder)) AS l,
        LATERAL (SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) AS wide
          FROM pg_attribute a WHERE a.attrelid = relation AND a.attnum > 0
            AND NOT a.attisdropped AND a.attlen < 0 AND a.atttypmod < 0
            AND NOT a.atttypid IN ('numeric'::regtype, 'inet'::regtype, 'cidr'::regtype)
            AND NOT a.attname = ANY (except_columns)
            AND (only_columns = '{}' OR a.attname = ANY (only_columns))) AS w
        WHERE wide IS NOT NULL AND entity_sql IS NULL
      ORDER BY 1, 2, 3 DESC, 4
      """;

  List<CaptureFinding> all() throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    try (SqlStatement statement = all.on(connection)) {
      return statement
          .set("limit", PayloadLimit.NAME)
          .all(
              row ->
                  new CaptureFinding(
                      row.getString(1), row.getString(2), row.getBoolean(3), row.getString(4)));
    }
  }
}
