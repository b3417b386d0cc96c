package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The row of a log that says which columns a table has.
 *
 * @param relation SQL expression of the table's oid
 */
record SchemaRowStatement(CaptureNames names, CaptureRule rule, String relation) {
  private static final String SQL =
      """
      INSERT INTO {handoff} (key, payload)
      SELECT left({table}, 2000), json_strip_nulls(row_to_json(change.*))
      FROM (
        SELECT 'schema' AS op, {table} AS "table", nextval({sequence}) AS seq{marks},
          json_agg(json_build_object('number', c.number, 'name', c.name, 'type', c.type,
            'not_null', c.not_null, 'identity', c.identity, 'generated', c.generated,
            'existing_rows', c.existing_rows) ORDER BY c.number) AS columns,
          json_agg(c.name ORDER BY c.key_position) FILTER (WHERE c.key_position > 0) AS key
        FROM (
      {columns}
        ) AS c) AS change""";

  /** One statement, without its end. */
  String sql() {
    return sql("");
  }

  /**
   * The same with other members.
   *
   * @param marks SQL for them, each behind a comma
   */
  String sql(String marks) {
    return SqlTemplate.fill(
        SQL,
        Map.of(
            "marks", marks,
            "handoff", names.schemas().handoffTable(rule.recorder()),
            "table", Quoted.literal(rule.table().logged()),
            "sequence", Quoted.literal(names.sequence(rule.recorder())),
            "columns", ColumnQuery.columns(relation, rule.options().columns())));
  }
}
