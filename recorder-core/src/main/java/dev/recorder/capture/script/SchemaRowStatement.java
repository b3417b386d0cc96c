package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.Map;

/**
 * The statement that writes a {@code schema} row: a row of the log with the columns of a table and
 * the relation's oid.
 *
 * <p>If columns or key differ from those that the triggers' function knows, or did so in between,
 * the same transaction notes the {@code schema} row in the table of told columns. The function's
 * own statements are correct only while the log has no other columns and no other key.
 *
 * <p>Each note has a number, by which transactions that cannot see the note learn of it, see {@link
 * SeenColumns}.
 *
 * <p>The first note of a set-up has the columns that the function knows. Later notes are written
 * only by the function of this set-up. Otherwise a former function that is still running, or an
 * older transaction, would decide which columns the new set-up leaves out.
 *
 * <p>Captured and left-out columns are noted, too. Otherwise they would be taken for other columns
 * after a rename.
 *
 * @param columns the captured columns
 * @param relation SQL expression of the table's oid
 * @param setUp SQL expression of a text that is unique to each set-up of the capture
 */
record SchemaRowStatement(
    CaptureNames names, CaptureRule rule, PinnedColumns columns, String relation, String setUp) {
  private static final String SQL =
      """
      WITH telling AS (SELECT nextval({sequence}) AS seq, {fingerprint} AS fingerprint,
        {key} AS key_numbers),
      noted AS (
        INSERT INTO {told} (recorder, captured, set_up, seq, number, is_first,
          is_as_named, fingerprint, key_numbers, chosen, left_out)
        SELECT c.recorder, c.captured, c.set_up, n.seq, nextval({numbers}),
          {is_first} AND NOT n.are_others, n.is_as_named, n.fingerprint, n.key_numbers, {chosen}, {left_out}
        FROM {captures} AS c CROSS JOIN LATERAL (SELECT t.*, c.fingerprint <> t.fingerprint
            OR c.key_numbers <> t.key_numbers AS are_others,
          {are_there} AS is_as_named
          FROM telling AS t) AS n
        WHERE c.recorder = {recorder} AND c.captured = {table} AND c.set_up = {set_up}
          AND ({is_first} OR {is_unseen} OR n.are_others OR EXISTS (SELECT FROM {told} AS t
            WHERE t.recorder = c.recorder AND t.captured = c.captured AND NOT t.is_first)))
      INSERT INTO {handoff} (key, payload)
      SELECT left({table}, 2000), json_strip_nulls(row_to_json(change.*))
      FROM (
        SELECT {by}, 'schema' AS op, {table} AS "table", (SELECT n.seq FROM telling AS n) AS seq{marks},
          ({relation})::oid::bigint AS relation,
          json_agg(json_build_object('number', c.number, 'name', c.name, 'type', c.type,
            'not_null', c.not_null, 'identity', c.identity, 'generated', c.generated,
            'existing_rows', c.existing_rows) ORDER BY c.number) AS columns,
          json_agg(c.name ORDER BY c.key_position) FILTER (WHERE c.key_position > 0) AS key
        FROM (
      {columns}
        ) AS c) AS change
      WHERE change.columns IS NOT NULL""";

  /** Returns the statement without a semicolon. */
  String sql() {
    return sql("", "false", false);
  }

  /** Returns the statement for the set-up of a capture. */
  String first() {
    return sql("", "false", true);
  }

  /**
   * Returns the statement for a transaction that may not see all notes.
   *
   * @param isUnseen SQL condition: there is a note that the transaction does not see
   */
  String sqlUnless(String isUnseen) {
    return sql("", isUnseen, false);
  }

  /**
   * Returns the statement with additional members.
   *
   * @param marks SQL of the members, each beginning with a comma
   */
  String sql(String marks) {
    return sql(marks, "false", false);
  }

  private String sql(String marks, String isUnseen, boolean isFirst) {
    ChosenColumns chosen = ChosenColumns.of(columns, names, rule, setUp);
    return SqlTemplate.fill(
        SQL,
        Map.ofEntries(
            Map.entry("by", ChangeStatements.mark()),
            Map.entry("marks", marks),
            Map.entry("is_unseen", isUnseen),
            Map.entry("is_first", Boolean.toString(isFirst)),
            Map.entry("set_up", setUp),
            Map.entry("numbers", Quoted.literal(names.toldNumbers(rule))),
            Map.entry("handoff", names.schemas().handoffTable(rule.recorder())),
            Map.entry("captures", names.captures()),
            Map.entry("told", names.toldColumns()),
            Map.entry("recorder", Quoted.literal(rule.recorder().value())),
            Map.entry("table", Quoted.literal(rule.table().logged())),
            Map.entry("sequence", Quoted.literal(names.sequence(rule.recorder()))),
            Map.entry("relation", relation),
            Map.entry(
                "are_there", NamedColumns.areThere("c.named_columns", relation, "c.relation")),
            Map.entry("fingerprint", ColumnQuery.fingerprint(relation)),
            Map.entry("key", ColumnQuery.key(relation, chosen)),
            Map.entry("chosen", chosen.numbers(relation, true)),
            Map.entry("left_out", chosen.numbers(relation, false)),
            Map.entry("columns", ColumnQuery.columns(relation, chosen))));
  }
}
