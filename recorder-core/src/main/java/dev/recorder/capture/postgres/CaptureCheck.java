package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.PayloadLimit;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for changes that no trigger of ours sees.
 *
 * <p>A capture's tables are those that have a trigger of its function, and the partitions below
 * them, which are found without a lock on any. What happened while a trigger was disabled cannot be
 * seen afterwards.
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
        "control", Quoted.literal(names.schemas().control()) + "::regnamespace",
        "handoff", Quoted.literal(names.schemas().handoff() + "."));
  }

  private static final String ALL =
      """
      WITH RECURSIVE functions AS (
        SELECT c.recorder, c.captured, c.told, c.schema_name, c.table_name, c.only_columns,
          c.except_columns, c.key_columns, c.entity_sql, f.oid AS function, f.prosrc
        FROM {captures} c LEFT JOIN pg_proc f
          ON f.proname = c.function_name AND f.pronamespace = {control}
        WHERE cardinality(:recorders::text[]) = 0 OR c.recorder = ANY (:recorders::text[])),
      ours AS (
        SELECT t.tgfoid AS function,
          min(coalesce(pg_partition_root(t.tgrelid), t.tgrelid)::oid) AS relation
        FROM (SELECT DISTINCT t.tgfoid, t.tgrelid FROM pg_trigger t
          JOIN pg_class k ON k.oid = t.tgrelid AND k.relpersistence <> 't'
          WHERE t.tgfoid IN (SELECT f.function FROM functions f)) AS t
        GROUP BY 1),
      armed AS (
        SELECT f.*, o.relation FROM functions f LEFT JOIN ours o ON o.function = f.function),
      tree AS (
        SELECT a.recorder, a.captured, a.entity_sql, a.function, a.relation, a.relation AS below
        FROM armed a WHERE a.relation IS NOT NULL
        UNION ALL
        SELECT t.recorder, t.captured, t.entity_sql, t.function, t.relation, i.inhrelid
        FROM tree t JOIN pg_inherits i ON i.inhparent = t.below
        JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition),
      triggers AS (
        SELECT t.*, r.relkind, n.present, n.enabled
        FROM tree t JOIN pg_class r ON r.oid = t.below
        CROSS JOIN LATERAL (
          SELECT count(*) AS present, count(*) FILTER (WHERE g.tgenabled IN ('O', 'A')) AS enabled
          FROM pg_trigger g WHERE g.tgrelid = t.below AND g.tgfoid = t.function) AS n)
      SELECT recorder, captured, true, 'its table is gone, or its triggers: remove the capture, or'
          ' add it with --again' AS text, NULL::bigint
        FROM armed WHERE relation IS NULL
      UNION ALL
      SELECT recorder, captured, true, CASE WHEN present = 0 AND below <> relation
          THEN format('partition %s is not captured when it is written to itself: add the capture'
            ' with --again', below::regclass)
          WHEN present < 4 THEN format('table %s has %s of 4 triggers: add the capture with --again',
            below::regclass, present)
          ELSE format('table %s has triggers that are disabled: ALTER TABLE %s ENABLE TRIGGER ...;'
            ' what was changed meanwhile was not captured', below::regclass, below::regclass) END,
          CASE WHEN present = 0 AND below <> relation AND relkind IN ('r', 'p')
            THEN below::bigint END
        FROM triggers WHERE enabled < 4
      UNION ALL
      SELECT recorder, captured, false, format('the table is called %s now, and still %s in the'
          ' log', relation::regclass, captured), NULL
        FROM armed a JOIN pg_class r ON r.oid = a.relation
        JOIN pg_namespace n ON n.oid = r.relnamespace
        WHERE (n.nspname, r.relname) <> (a.schema_name, a.table_name)
      UNION ALL
      SELECT recorder, captured, false, 'columns have changed since it was set up, and each statement'
          ' asks the catalog for them: add the capture with --again, which makes it fast again',
          NULL
        FROM armed WHERE relation IS NOT NULL AND entity_sql IS NULL AND position(
          ARRAY(SELECT a.xmin FROM pg_attribute a
            WHERE a.attrelid = relation AND a.attnum > 0 ORDER BY a.attnum)::text IN prosrc) = 0
      UNION ALL
      SELECT recorder, captured, true, format('the columns (%s) that its log takes for its key are'
          ' its key no longer, or DEFERRABLE: give it one, and add the capture with --again',
          array_to_string(key_columns, ', ')), NULL
        FROM armed WHERE relation IS NOT NULL AND key_columns <> '{}'
          AND key_columns <> ARRAY(SELECT k.name::text FROM (
      {columns}) AS k
            WHERE k.key_position > 0 ORDER BY k.key_position)
      UNION ALL
      SELECT recorder, captured, false, format('has columns that are not captured: %s', missing),
          NULL
        FROM armed, LATERAL (SELECT string_agg(wanted, ', ') AS missing
          FROM unnest(only_columns) wanted WHERE NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = relation AND a.attname = wanted AND NOT a.attisdropped)) AS m
        WHERE relation IS NOT NULL AND missing IS NOT NULL
      UNION ALL
      SELECT recorder, captured, false, format('nothing limits what is in %s, and a row of more than'
          ' %s bytes (max_payload) fails its transaction: raise max_payload, or leave columns out'
          ' with --except', wide, bytes), NULL
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
    return of(Set.of());
  }

  /**
   * The same of some recorders.
   *
   * @param recorders empty for all
   */
  List<CaptureFinding> of(Set<RecorderName> recorders) throws SQLException {
    if (!ServerQueries.exists(connection, names.captures())) {
      return List.of();
    }
    try (SqlStatement statement = all.on(connection)) {
      return statement
          .set("limit", PayloadLimit.NAME)
          .setArray("recorders", "text", recorders.stream().map(RecorderName::value).toArray())
          .all(
              row ->
                  new CaptureFinding(
                      row.getString(1),
                      row.getString(2),
                      row.getBoolean(3),
                      row.getString(4),
                      row.getObject(5, Long.class)));
    }
  }
}
