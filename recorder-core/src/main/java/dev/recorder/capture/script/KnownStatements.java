package dev.recorder.capture.script;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.recorder.capture.CaptureOptions;
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
import java.util.stream.Stream;

/**
 * The statements of a trigger for the columns at the time of its creation. They write the same rows
 * as {@link ChangeStatements} at a lower cost. Images are expressions instead of a query for each
 * row. Values that are equal in all rows are JSON constants, since {@code row_to_json} looks up in
 * the catalog how to write each text, for every row.
 *
 * <p>If an update changes no key, compared as texts, only the new rows are read, and no rows are
 * paired. The statement checks this by comparing the keys of both transition tables row by row, in
 * the order in which the server fills them. In any other order, keys would differ.
 */
final class KnownStatements {
  /** Most keys held in memory at once. */
  private static final int MOST_IN_PLACE = 10_000;

  private static final String KEY = ", row_to_json(key_image.*) AS ";

  private final List<CapturedColumn> columns;
  private final List<CapturedColumn> key;
  private final CaptureOptions options;
  private final ChangeStatements.StatementContext place;
  private final Fragments fragments;
  private final Map<String, String> pieces;

  KnownStatements(CapturedTable table, CaptureRule rule, ChangeStatements.StatementContext place) {
    this.columns = table.columns();
    this.key = table.key();
    this.options = rule.options();
    this.place = place;
    this.fragments = Fragments.of(table, rule, place.row());
    this.pieces =
        Map.of(
            "handoff", place.handoff(),
            "table", json(rule.table().logged()),
            "row", place.row(),
            "seq", place.seq(),
            "longest", Integer.toString(ChangeStatements.KEY_CHARACTERS),
            "source", fragments.source(),
            "log_key", fragments.logKey(),
            "condition", fragments.condition(),
            "key_columns", named(key),
            "columns", named(columns));
  }

  private static final String WRITE =
      """
      INSERT INTO {handoff} (key, payload)
      SELECT left(r.log_key, {longest}), row_to_json(change.*)
      FROM (SELECT {log_key} AS log_key{source}
        FROM {rows} AS {row} WHERE {condition}) AS r
      CROSS JOIN LATERAL (SELECT {key_columns}) AS key_image
      CROSS JOIN LATERAL (SELECT {columns}) AS image
      CROSS JOIN LATERAL (
        SELECT {by}, {op} AS op, {table} AS "table", {seq} AS seq{members}) AS change""";

  private String write(String op, String rows, String members) {
    Map<String, String> all = new HashMap<>(pieces);
    all.put("op", json(op));
    all.put("by", json(ChangeMark.VALUE) + " AS " + Quoted.identifier(ChangeMark.MEMBER));
    all.put("rows", rows);
    all.put("members", members);
    return SqlTemplate.fill(WRITE, all);
  }

  private static String json(String text) {
    String quoted = '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    return "json " + Quoted.literal(quoted);
  }

  private static String named(List<CapturedColumn> columns) {
    return columns.stream()
        .map(column -> "r." + column.alias() + " AS " + Quoted.identifier(column.name()))
        .collect(Collectors.joining(", "));
  }

  private String key(String member) {
    return key.isEmpty() ? "" : KEY + member;
  }

  private static String image(String member) {
    return ", row_to_json(image.*) AS " + member;
  }

  String insert() {
    return write("insert", "new_rows", key("key") + image("after"));
  }

  /** Returns the statement that writes existing rows as changes {@code snapshot}. */
  String snapshot() {
    return write("snapshot", "new_rows", key("key") + image("after"));
  }

  String delete() {
    String before =
        switch (options.old()) {
          case NONE -> "";
          case KEY, CHANGED -> key("before");
          case ALL -> image("before");
        };
    return write("delete", "old_rows", key("key") + before);
  }

  private static final String IN_PLACE =
      """
      {write}
      WHERE {same};
      IF NOT FOUND THEN
      IF EXISTS (SELECT FROM old_rows) THEN
      {others}
      END IF;
      END IF;""";

  /**
   * The arrays differ in length if there are more than {@code most} old rows. An update never has
   * more new rows than old ones. It has fewer if a trigger of a partition refuses a row that comes
   * from another partition.
   */
  private static final String SAME =
      """
      ARRAY(SELECT {value} FROM old_rows AS {row} LIMIT {most} + 1)
        = ARRAY(SELECT {value} FROM new_rows AS {row} LIMIT {most})""";

  /**
   * Returns PL/pgSQL statements that write an update.
   *
   * @param others statements, each with its semicolon, that write any update
   */
  String update(String others) {
    boolean newRowsTell = options.old() == OldImage.NONE || options.old() == OldImage.KEY;
    if (!newRowsTell || key.isEmpty()) {
      return others;
    }
    String before = options.old() == OldImage.KEY ? key("before") : "";
    Stream<String> unchanged = key.stream().map(this::text);
    if (options.when() != null) {
      unchanged = Stream.concat(unchanged, Stream.of(fragments.condition()));
    }
    return SqlTemplate.fill(
        IN_PLACE,
        Map.of(
            "write", write("update", "new_rows", key("key") + before + image("after")),
            "same", unchanged.map(this::same).collect(Collectors.joining("\n  AND ")),
            "others", others));
  }

  private String same(String value) {
    String most = Integer.toString(MOST_IN_PLACE);
    return SqlTemplate.fill(SAME, Map.of("value", value, "row", place.row(), "most", most));
  }

  /**
   * Returns SQL for a column's text as {@code row_to_json} writes it. A cast to text could drop
   * trailing blanks.
   */
  private String text(CapturedColumn column) {
    String reference = place.row() + "." + Quoted.identifier(column.name());
    return "concat(" + column.encoded(reference) + ") COLLATE \"C\"";
  }
}
