package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.script.ChangeStatements.Before;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statements of a trigger after columns of its table have changed. The trigger writes the new
 * columns into the log once, and builds its statements for these columns, with the whole old row.
 * It uses the table's present key, so a changed key is written, too.
 *
 * <p>Transactions do not wait for each other here. Until one has committed the new columns, others
 * write them as well, which a replay tolerates. If the columns that an expression of the rule names
 * have changed, the expression is left out: an additional row does less harm than a failing
 * transaction.
 *
 * <p>The statement fails if the capture was set up again since the function was made. Then the
 * statement was running on a partition with the former function, or its transaction does not see
 * the present one. Its choice of columns would differ from the log's.
 *
 * @param setUp SQL literal, see {@link SchemaRowStatement}
 */
record ChangedColumns(
    CaptureNames names, CapturedTable table, CaptureRule rule, String relation, String setUp) {
  private static final String TELL =
      """
      IF EXISTS (SELECT FROM {captures} AS c WHERE c.recorder = {recorder}
          AND c.captured = {captured} AND c.set_up <> {set_up}) THEN
        RAISE serialization_failure USING
          MESSAGE = format('the capture of table %s was set up anew since this began', {captured}),
          HINT = 'Run the transaction again: recorder captures other columns of the table by now.';
      END IF;
      fingerprint := {fingerprint};
      key_numbers := {key};
      IF is_unseen OR NOT EXISTS (SELECT FROM (SELECT t.* FROM {told} AS t
          WHERE {this_one} AND t.set_up = {set_up} ORDER BY t.seq DESC LIMIT 1) AS t
          WHERE t.fingerprint = capture.fingerprint
            AND t.key_numbers = capture.key_numbers) THEN
      {told_now};
      END IF;""";

  private static final String SQL =
      """
      {tell}
      are_as_they_were := {are_there};
      SELECT ARRAY[
          coalesce(string_agg(format(', %s AS c%s', format(c.encoding, c.place), c.number), ''
            ORDER BY c.number), ''),
          coalesce(string_agg(c.put, ', ' ORDER BY c.number), ''),
          coalesce(string_agg(c.took, ', ' ORDER BY c.number), ''),
          coalesce(', ' || replace({image}, '%s', string_agg(c.put, ', ' ORDER BY c.key_position)
            FILTER (WHERE c.key_position > 0)) || ' AS key', ''),
          coalesce(', ' || replace({image}, '%s', string_agg(c.took, ', ' ORDER BY c.key_position)
            FILTER (WHERE c.key_position > 0)) || ' AS key', ''),
          coalesce(string_agg(format('o.c%1$s IS NOT DISTINCT FROM n.c%1$s%2$s', c.number,
            c.compared), ' AND ') FILTER (WHERE c.key_position > 0), 'true'),
          {log_key},
          {condition}]
        INTO parts
        FROM (SELECT c.*, format('%s.%I', {row}, c.name) AS place,
            format('n.c%s AS %I', c.number, c.name) AS put,
            format('o.c%s AS %I', c.number, c.name) AS took
          FROM (
      {columns}
          ) AS c) AS c;
      seq := nextval({sequence});
      IF {is_snapshot} THEN
      {snapshot}
      ELSIF TG_OP = 'INSERT' THEN
      {insert}
      ELSIF TG_OP = 'UPDATE' THEN
      {update}
      ELSIF TG_OP = 'DELETE' THEN
      {delete}
      END IF;""";

  private static final String USUAL_KEY =
      """
      {table} || coalesce(string_agg(format(' || ''/'' || %s::text',
            format(c.encoding, c.place)), '' ORDER BY c.key_position)
            FILTER (WHERE c.key_position > 0), '')""";

  /** Returns PL/pgSQL statements that write the new columns and the changes. */
  String sql(String row) {
    Fragments unknown = Fragments.unknown();
    ChangeStatements statements =
        new ChangeStatements(
            unknown,
            Before.all(unknown),
            new ChangeStatements.StatementContext(
                names.schemas().handoffTable(rule.recorder()), row, "$1"),
            rule);
    return SqlTemplate.fill(
        SQL,
        Map.ofEntries(
            Map.entry("tell", tell()),
            Map.entry(
                "are_there",
                NamedColumns.areThere(
                    Quoted.array(table.named()) + "::text[]",
                    relation,
                    table.relation().oid() + "::oid")),
            Map.entry("image", Quoted.literal(ChangeStatements.image("%s"))),
            Map.entry("log_key", logKey()),
            Map.entry("condition", condition()),
            Map.entry("row", Quoted.literal(row)),
            Map.entry(
                "columns",
                ColumnQuery.columns(relation, ChosenColumns.of(table.pins(), names, rule, setUp))),
            Map.entry("sequence", Quoted.literal(names.sequence(rule.recorder()))),
            Map.entry("is_snapshot", SnapshotStatements.IS_SNAPSHOT),
            Map.entry("snapshot", executed(statements.snapshot())),
            Map.entry("insert", executed(statements.insert())),
            Map.entry("update", executed(statements.update())),
            Map.entry("delete", executed(statements.delete()))));
  }

  private String tell() {
    return SqlTemplate.fill(
        TELL,
        Map.of(
            "captures", names.captures(),
            "recorder", Quoted.literal(rule.recorder().value()),
            "captured", Quoted.literal(rule.table().logged()),
            "set_up", setUp,
            "fingerprint", ColumnQuery.fingerprint(relation),
            "key", ColumnQuery.key(relation, ChosenColumns.of(table.pins(), names, rule, setUp)),
            "told", names.toldColumns(),
            "this_one", thisOne(),
            "told_now",
                new SchemaRowStatement(names, rule, table.pins(), relation, setUp)
                    .sqlUnless("capture.is_unseen")));
  }

  private static final String BEFORE_TRUNCATE =
      """
      IF bounds IS NOT NULL THEN
      {seen}
      END IF;
      IF bounds IS NOT NULL AND (is_unseen OR {have_changed}) THEN
      {tell}
      END IF;""";

  /**
   * Returns statements that write changed columns into the log before a TRUNCATE of a partition
   * whose bounds name them.
   */
  String beforeTruncate() {
    return SqlTemplate.fill(
        BEFORE_TRUNCATE,
        Map.of("seen", SeenColumns.names(rule), "have_changed", haveChanged(), "tell", tell()));
  }

  /**
   * Returns an SQL condition: columns or key differ from those that the function knows, or did so
   * in between. The fingerprint alone is not enough. A table's owner could choose names with the
   * same fingerprint, and have a value of an own type reach an expression made for another type.
   */
  String haveChanged() {
    return SqlTemplate.fill(
        """
        ({fingerprint} <> {known}::bigint OR {types} <> {known_types}::oid[] OR {key_has_changed}
          OR EXISTS (SELECT FROM {told} AS t WHERE {this_one}
            AND NOT (t.is_first AND t.set_up = {set_up})))\
        """,
        Map.of(
            "key_has_changed",
                SqlTemplate.fill(table.keyHasChanged(), Map.of("relation", relation)),
            "set_up", setUp,
            "types", ColumnQuery.typeNumbers(relation),
            "known_types", Quoted.literal(table.typeNumbers()),
            "fingerprint", ColumnQuery.fingerprint(relation),
            "known", Quoted.literal(Long.toString(table.fingerprint())),
            "told", names.toldColumns(),
            "this_one", thisOne()));
  }

  /**
   * Returns the SQL condition that a note {@code t} on a {@code schema} row belongs to this
   * capture.
   */
  private String thisOne() {
    return SqlTemplate.fill(
        "t.recorder = {recorder} AND t.captured = {captured}",
        Map.of(
            "recorder", Quoted.literal(rule.recorder().value()),
            "captured", Quoted.literal(rule.table().logged())));
  }

  private String logKey() {
    String table = Quoted.literal(Quoted.literal(rule.table().logged()));
    String own = rule.options().key();
    if (own == null) {
      return SqlTemplate.fill(USUAL_KEY, Map.of("table", table));
    }
    return ifAsTheyWere(this.table.expressions().keyText().of(own), table);
  }

  private String condition() {
    String when = rule.options().when();
    return when == null
        ? Quoted.literal("true")
        : ifAsTheyWere(Fragments.isTrue(when), Quoted.literal("true"));
  }

  private static String ifAsTheyWere(String expression, String otherwise) {
    return SqlTemplate.fill(
        "CASE WHEN are_as_they_were THEN {expression} ELSE {otherwise} END",
        Map.of("expression", Quoted.literal(expression), "otherwise", otherwise));
  }

  private static String executed(List<String> statements) {
    return statements.stream().map(ChangedColumns::executed).collect(Collectors.joining("\n"));
  }

  private static String executed(String statement) {
    return SqlTemplate.fill(
        "EXECUTE format({pattern}, VARIADIC parts) USING seq;",
        Map.of("pattern", Quoted.dollars("sql", Fragments.pattern(statement))));
  }
}
