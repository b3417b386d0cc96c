package dev.recorder.capture.script;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedColumn;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.OldImage;
import dev.recorder.handoff.ChangeMark;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statements by which a trigger writes changes into the hand-off table.
 *
 * <p>Old and new rows of an update are paired by their position in the two transition tables, which
 * the server fills in the same order. A pair with different keys becomes a delete and an insert, so
 * that a wrong pair would still give correct rows. The join is a full join, since the planner never
 * uses a nested loop for it. A plan made for one row would otherwise use a nested loop for
 * thousands.
 */
final class ChangeStatements {
  /** Most characters of the log's key: at most 8,000 bytes, while the limit is 8,192. */
  static final int KEY_CHARACTERS = 2_000;

  private final Map<String, String> pieces;

  /**
   * Creates the statements of a table.
   *
   * @param fragments the parts that depend on the columns
   * @param before the part of old rows that changes contain
   */
  ChangeStatements(Fragments fragments, Before before, StatementContext place, CaptureRule rule) {
    Map<String, String> own =
        Map.ofEntries(
            Map.entry("handoff", place.handoff()),
            Map.entry("by", mark()),
            Map.entry("table", Quoted.literal(rule.table().logged())),
            Map.entry("row", place.row()),
            Map.entry("longest", Integer.toString(KEY_CHARACTERS)),
            Map.entry("seq", place.seq()),
            Map.entry("source", fragments.source()),
            Map.entry("after", ", " + image(fragments.newImage()) + " AS after"),
            Map.entry("new_key", fragments.newKey()),
            Map.entry("old_key", fragments.oldKey()),
            Map.entry("same_key", fragments.sameKey()),
            Map.entry("log_key", fragments.logKey()),
            Map.entry("condition", fragments.condition()),
            Map.entry("before_update", before.ofUpdate()),
            Map.entry("before_delete", before.ofDelete()));
    this.pieces = new HashMap<>(own);
    pieces.put("pairs", SqlTemplate.fillFromShared(PAIRS, own));
    pieces.put("deleted", SqlTemplate.fillFromShared(DELETED, own));
  }

  /**
   * Names that statements refer to.
   *
   * @param handoff the hand-off table
   * @param row alias of a row of a transition table
   * @param seq SQL expression of the statement's number
   */
  record StatementContext(String handoff, String row, String seq) {}

  /** SQL of the member {@code before}, beginning with a comma; empty if there is no such member. */
  record Before(String ofUpdate, String ofDelete) {
    static Before of(OldImage old, CapturedTable table, Fragments fragments) {
      String key = fragments.oldKey().replaceFirst(" AS key$", " AS before");
      String all = all(fragments).ofDelete();
      return switch (old) {
        case NONE -> new Before("", "");
        case KEY -> new Before(key, key);
        case CHANGED -> new Before(", " + changed(table) + " AS before", key);
        case ALL -> new Before(all, all);
      };
    }

    static Before all(Fragments fragments) {
      String all = ", " + image(fragments.oldImage()) + " AS before";
      return new Before(all, all);
    }
  }

  /** Returns SQL of the first member of each change, which marks it as one. */
  static String mark() {
    return SqlTemplate.fill(
        "{value} AS {member}",
        Map.of(
            "value", Quoted.literal(ChangeMark.VALUE),
            "member", Quoted.identifier(ChangeMark.MEMBER)));
  }

  /**
   * Returns SQL of a row as a JSON object. Without the star, a column with the alias's name would
   * be taken instead.
   */
  static String image(String columns) {
    return SqlTemplate.fill(
        "(SELECT row_to_json(image.*) FROM (SELECT {columns}) AS image)",
        Map.of("columns", columns));
  }

  private static String changed(CapturedTable table) {
    String members =
        table.columns().stream()
            .map(ChangeStatements::changedMember)
            .collect(Collectors.joining(",\n          "));
    return "('{' || array_to_string(ARRAY[\n          " + members + "]::text[], ',') || '}')::json";
  }

  private static String changedMember(CapturedColumn column) {
    String name = new String(JsonStringEncoder.getInstance().quoteAsString(column.name()));
    return SqlTemplate.fill(
        """
        CASE WHEN to_json(o.{c})::text IS DISTINCT FROM to_json(n.{c})::text \
        THEN {name} || coalesce(to_json(o.{c})::text, 'null') END""",
        Map.of("c", column.alias(), "name", Quoted.literal('"' + name + "\":")));
  }

  private static final String PUT =
      """
      INSERT INTO {handoff} (key, payload)
      SELECT left(n.log_key, {longest}), row_to_json(change.*)
      FROM (SELECT {log_key} AS log_key{source}
        FROM new_rows AS {row} WHERE {condition}) AS n
      CROSS JOIN LATERAL (
        SELECT {by}, '{op}' AS op, {table} AS "table", {seq} AS seq{new_key}{after}
        ) AS change""";

  private static final String DELETE =
      """
      INSERT INTO {handoff} (key, payload)
      SELECT left(o.log_key, {longest}), row_to_json(change.*)
      FROM (SELECT {log_key} AS log_key{source}
        FROM old_rows AS {row} WHERE {condition}) AS o
      CROSS JOIN LATERAL (
        SELECT {deleted}) AS change""";

  private static final String DELETED =
      """
      {by}, 'delete' AS op, {table} AS "table", {seq} AS seq{old_key}{before_delete}""";

  private static final String PAIRS =
      """
      FROM (SELECT row_number() OVER () AS ordinal, {condition} AS kept,
          {log_key} AS log_key{source} FROM old_rows AS {row}) AS o
      FULL JOIN (SELECT row_number() OVER () AS ordinal, {condition} AS kept,
          {log_key} AS log_key{source} FROM new_rows AS {row}) AS n
        ON n.ordinal = o.ordinal""";

  /**
   * Writes deletes of old rows first, and then the new rows. Exception: if a row was changed twice
   * by the statement, as by two foreign keys that cascade into one key, its intermediate state is
   * first a new row and later an old row. Then the pairs are written one after another. If a
   * partition's trigger has refused a row, the two tables differ in length, the positions after it
   * do not match, and this exception is not looked for.
   */
  private static final String UPDATE =
      """
      INSERT INTO {handoff} (key, payload)
      SELECT left(told.log_key, {longest}), told.payload
      {pairs}
      CROSS JOIN LATERAL (
        SELECT 1 AS part, o.log_key,
          (SELECT row_to_json(change.*) FROM (SELECT {deleted}) AS change) AS payload
        WHERE coalesce(o.kept, false) AND NOT coalesce(n.kept AND {same_key}, false)
        UNION ALL
        SELECT 2, n.log_key, CASE WHEN coalesce(o.kept AND {same_key}, false)
          THEN (SELECT row_to_json(change.*) FROM (
            SELECT {by}, 'update' AS op, {table} AS "table", {seq} AS seq{new_key}
              {before_update}{after}) AS change)
          ELSE (SELECT row_to_json(change.*) FROM (
            SELECT {by}, 'insert' AS op, {table} AS "table", {seq} AS seq{new_key}{after}
            ) AS change) END
        WHERE coalesce(n.kept, false)) AS told
      ORDER BY CASE WHEN (SELECT count(*) FROM old_rows) = (SELECT count(*) FROM new_rows)
          AND EXISTS (
          SELECT FROM (SELECT row_number() OVER () AS ordinal, ({log_key}) COLLATE "C" AS log_key
            FROM old_rows AS {row}) AS o
          FULL JOIN (SELECT row_number() OVER () AS ordinal, ({log_key}) COLLATE "C" AS log_key
            FROM new_rows AS {row}) AS n ON n.log_key = o.log_key
          WHERE coalesce(n.ordinal < o.ordinal, false)) THEN 0 ELSE told.part END,
        coalesce(n.ordinal, o.ordinal), told.part""";

  List<String> insert() {
    return List.of(put("insert"));
  }

  /** Returns the statements that write existing rows as changes {@code snapshot}. */
  List<String> snapshot() {
    return List.of(put("snapshot"));
  }

  private String put(String op) {
    Map<String, String> all = new HashMap<>(pieces);
    all.put("op", op);
    return SqlTemplate.fillFromShared(PUT, all);
  }

  List<String> delete() {
    return List.of(filled(DELETE));
  }

  List<String> update() {
    return List.of(filled(UPDATE));
  }

  private String filled(String text) {
    return SqlTemplate.fillFromShared(text, pieces);
  }
}
