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
 * The statements of a trigger that write changes into the hand-off table.
 *
 * <p>Rows of an update are paired by their place in the two transition tables, which the server
 * fills side by side. A pair whose key differs becomes a delete and an insert, so that a pair that
 * were wrong could not mislead anybody. The join is a full one: it is never done as a nested loop,
 * which a plan that was made for one row would else do for thousands.
 */
final class ChangeStatements {
  /** Of the log's key: at most 8,000 of 8,192 bytes. */
  static final int KEY_CHARACTERS = 2_000;

  private final Map<String, String> pieces;

  /**
   * Statements of a table.
   *
   * @param fragments what depends on the columns
   * @param before what is said of old rows
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
   * What statements refer to.
   *
   * @param handoff the hand-off table
   * @param row a row of a transition table
   * @param seq the statement's number
   */
  record StatementContext(String handoff, String row, String seq) {}

  /** The member {@code before}, behind its comma; empty where it is left out. */
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

  /** The first member of each change. */
  static String mark() {
    return SqlTemplate.fill(
        "{value} AS {member}",
        Map.of(
            "value", Quoted.literal(ChangeMark.VALUE),
            "member", Quoted.identifier(ChangeMark.MEMBER)));
  }

  /** A row as an object; a column called as the alias is would be meant without the star. */
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
   * Rows that are no longer what they were come first, and then those that are there now: unless a
   * row was changed twice, as by two foreign keys that cascade into one key, so that what it was in
   * between is a new row and later an old one. Then each pair is told in its turn. Where a trigger
   * of a partition has refused a row, those behind it are no pairs, and say nothing of such.
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

  /** Rows that were there before, as if they were inserted. */
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
