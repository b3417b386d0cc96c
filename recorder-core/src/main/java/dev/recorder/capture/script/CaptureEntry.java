package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedColumn;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The row of the table of captures that describes a capture. The new set-up makes copies stale
 * until a snapshot, if it captures another table than before, other rows, or columns that were left
 * out; if values may have changed without a trigger; or if the table or a partition was not
 * captured for a while.
 */
final class CaptureEntry {
  private static final String ENTRY =
      """
      INSERT INTO {captures} AS c (recorder, captured, schema_name, table_name, relation,
        function_name, only_columns, except_columns, when_sql, key_sql, entity_sql, old,
        key_numbers, fingerprint, value_marks, only_numbers, except_numbers, set_up,
        named_columns, is_complete, stale_at)
      VALUES ({recorder}, {captured}, {schema}, {name}, {relation},
        {function}, {only}, {except}, {when}, {key}, {entity}, {old},
        {key_numbers}, {fingerprint}::bigint, {value_marks}, {only_numbers}, {except_numbers}, {set_up},
        {named_columns}, NOT {is_partitioned},
        CASE WHEN EXISTS (SELECT FROM {detached} AS d
            WHERE d.recorder = {recorder} AND d.captured = {captured}) THEN clock_timestamp() END)
      ON CONFLICT (recorder, captured) DO UPDATE SET relation = excluded.relation,
        function_name = excluded.function_name,
        only_columns = excluded.only_columns, except_columns = excluded.except_columns,
        when_sql = excluded.when_sql, key_sql = excluded.key_sql,
        entity_sql = excluded.entity_sql, old = excluded.old, key_numbers = excluded.key_numbers,
        value_marks = excluded.value_marks, only_numbers = excluded.only_numbers,
        except_numbers = excluded.except_numbers,
        fingerprint = excluded.fingerprint, set_up = excluded.set_up,
        named_columns = excluded.named_columns, since = excluded.since,
        is_complete = excluded.is_complete OR c.is_complete AND c.relation = excluded.relation,
        (stale_at, stale_why) = (SELECT CASE WHEN k.is_as_before THEN c.stale_at ELSE excluded.since END,
            CASE WHEN k.is_as_before THEN c.stale_why END
          FROM (SELECT c.relation = excluded.relation AND NOT {have_changed}
            AND c.when_sql IS NOT DISTINCT FROM excluded.when_sql
            AND (excluded.when_sql IS NULL OR c.named_columns = excluded.named_columns)
            AND NOT EXISTS (SELECT FROM pg_attribute AS a
              WHERE a.attrelid = excluded.relation AND a.attnum > 0 AND NOT a.attisdropped
                AND NOT ({was_captured}) AND {is_captured})
            AND NOT EXISTS (SELECT FROM {detached} AS d
              JOIN pg_partition_ancestors(d.relation) AS a ON a.relid = excluded.relation
              WHERE d.recorder = c.recorder AND d.captured = c.captured)) AS k (is_as_before))\
      """;

  private CaptureEntry() {}

  /**
   * Returns the statement that writes the row.
   *
   * @param setUp SQL literal, see {@link SchemaRowStatement}; NULL for captures for documents,
   *     which write no {@code schema} rows
   * @param columns the captured columns
   * @param named the columns that the rule's expressions name
   * @param called the functions that the rule's expressions call
   * @param fingerprint hash of the columns that the triggers' function knows
   */
  static String sql(
      TableScript all,
      String setUp,
      PinnedColumns columns,
      List<CapturedColumn> key,
      List<String> named,
      List<String> called,
      long fingerprint) {
    CaptureNames names = all.names();
    CaptureRule rule = all.rule();
    CaptureOptions options = rule.options();
    return SqlTemplate.fill(
        ENTRY,
        Map.ofEntries(
            Map.entry("captures", names.captures()),
            Map.entry("detached", names.detachedChanges()),
            Map.entry("recorder", Quoted.literal(rule.recorder().value())),
            Map.entry("captured", Quoted.literal(rule.table().logged())),
            Map.entry("schema", Quoted.literal(rule.table().schema())),
            Map.entry("name", Quoted.literal(rule.table().name())),
            Map.entry("relation", Long.toString(all.relation().oid())),
            Map.entry("function", Quoted.literal(CaptureNames.functionName(rule))),
            Map.entry("only", Quoted.array(options.columns().only())),
            Map.entry("except", Quoted.array(options.columns().except())),
            Map.entry("when", Quoted.literalOrNull(options.when())),
            Map.entry("key", Quoted.literalOrNull(options.key())),
            Map.entry("entity", Quoted.literalOrNull(options.entity())),
            Map.entry("old", Quoted.literal(options.old().word())),
            Map.entry("key_numbers", Quoted.literal(numbers(key))),
            Map.entry(
                "value_marks",
                ValueMarks.of(Long.toString(all.relation().oid()), ChosenColumns.of(columns))
                    + " || "
                    + Quoted.array(called)
                    + "::text[]"),
            Map.entry("set_up", setUp),
            Map.entry("is_partitioned", Boolean.toString(all.relation().isPartitioned())),
            Map.entry("named_columns", Quoted.array(named)),
            Map.entry("only_numbers", ChosenColumns.numbers(columns.chosen())),
            Map.entry("except_numbers", ChosenColumns.numbers(columns.leftOut())),
            Map.entry(
                "was_captured",
                ChosenColumns.ofEntry(
                        "c.",
                        ChosenColumns.leftOut(
                            "c.except_numbers",
                            names.toldColumns(),
                            "c.recorder",
                            "c.captured",
                            "c.set_up"),
                        ChosenColumns.chosen(
                            "c.only_numbers",
                            names.toldColumns(),
                            "c.recorder",
                            "c.captured",
                            "c.set_up"))
                    .has("a")),
            Map.entry(
                "is_captured",
                ChosenColumns.ofEntry(
                        "excluded.", "excluded.except_numbers", "excluded.only_numbers")
                    .has("a")),
            Map.entry(
                "have_changed", ValueMarks.haveChanged("c.value_marks", "excluded.value_marks")),
            Map.entry("fingerprint", Quoted.literal(Long.toString(fingerprint)))));
  }

  private static String numbers(List<CapturedColumn> key) {
    return key.stream()
        .map(column -> Integer.toString(column.number()))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
