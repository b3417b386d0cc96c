package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The choice of captured columns as SQL. It gives the same answers as {@link PinnedColumns#has}.
 *
 * @param text an SQL condition with placeholders for the {@code number} and the {@code name} of a
 *     column
 * @param pieces values of its other placeholders
 */
public record ChosenColumns(String text, Map<String, String> pieces) {
  /** All columns. */
  public static final ChosenColumns ALL = new ChosenColumns("true", Map.of());

  public ChosenColumns {
    pieces = Map.copyOf(pieces);
  }

  private static final String CHOSEN =
      """
      {number} <> ALL ({left_out})
          AND ({number} = ANY ({chosen}) OR {name} {is_named})""";

  private static final String OF_ENTRY =
      """
      {number} <> ALL ({left_out})
          AND ({number} = ANY ({chosen}) OR {name} <> ALL ({entry}except_columns)
            AND ({entry}only_columns = '{}' OR {name} = ANY ({entry}only_columns)))""";

  /** Returns the choice at the time of set-up. */
  static ChosenColumns of(PinnedColumns columns) {
    return of(columns, numbers(columns.leftOut()), numbers(columns.chosen()));
  }

  /**
   * Returns the choice after the set-up, including columns that {@code schema} rows have captured
   * or left out since then.
   *
   * @param setUp SQL expression of the set-up of the capture, see {@link SchemaRowStatement}
   */
  static ChosenColumns of(
      PinnedColumns columns, CaptureNames names, CaptureRule rule, String setUp) {
    String told = names.toldColumns();
    String recorder = Quoted.literal(rule.recorder().value());
    String captured = Quoted.literal(rule.table().logged());
    return of(
        columns,
        leftOut(numbers(columns.leftOut()), told, recorder, captured, setUp),
        chosen(numbers(columns.chosen()), told, recorder, captured, setUp));
  }

  private static ChosenColumns of(PinnedColumns columns, String leftOut, String chosen) {
    ColumnChoice choice = columns.choice();
    if (choice.equals(ColumnChoice.ALL)) {
      return ALL;
    }
    String isNamed =
        choice.only().isEmpty()
            ? SqlTemplate.fill("<> ALL ({names})", Map.of("names", texts(choice.except())))
            : SqlTemplate.fill("= ANY ({names})", Map.of("names", texts(choice.only())));
    return new ChosenColumns(
        CHOSEN, Map.of("left_out", leftOut, "chosen", chosen, "is_named", isNamed));
  }

  private static String texts(List<String> names) {
    return Quoted.array(names) + "::text[]";
  }

  /**
   * Returns the choice in a row of the table of captures.
   *
   * @param entry alias of the row with a dot, or empty
   * @param leftOut SQL expression of the numbers of left-out columns
   * @param chosen SQL expression of the numbers of columns captured under any name
   */
  public static ChosenColumns ofEntry(String entry, String leftOut, String chosen) {
    return new ChosenColumns(
        OF_ENTRY, Map.of("entry", entry, "left_out", leftOut, "chosen", chosen));
  }

  private static final String PINNED =
      """
      {pinned} || ARRAY(SELECT unnest(told.{since}) FROM {told} AS told
          WHERE told.recorder = {recorder} AND told.captured = {captured}
            AND told.set_up = {set_up})""";

  /**
   * Returns an SQL expression for the numbers of columns left out at or after the set-up.
   *
   * @param pinned SQL expression of the numbers left out at the set-up
   * @param told the table of notes on {@code schema} rows, or a replacement for it
   * @param setUp SQL expression of the set-up of the capture
   */
  public static String leftOut(
      String pinned, String told, String recorder, String captured, String setUp) {
    return pinned("left_out", pinned, told, recorder, captured, setUp);
  }

  /**
   * Returns an SQL expression for the numbers of columns captured under any name since the set-up.
   */
  public static String chosen(
      String pinned, String told, String recorder, String captured, String setUp) {
    return pinned("chosen", pinned, told, recorder, captured, setUp);
  }

  private static String pinned(
      String since, String pinned, String told, String recorder, String captured, String setUp) {
    return SqlTemplate.fill(
        PINNED,
        Map.of(
            "since", since,
            "pinned", pinned,
            "told", told,
            "recorder", recorder,
            "captured", captured,
            "set_up", setUp));
  }

  /** Returns numbers as an SQL array. */
  static String numbers(List<Integer> numbers) {
    return numbers.stream()
        .map(number -> Integer.toString(number))
        .collect(Collectors.joining(", ", "ARRAY[", "]::int[]"));
  }

  /**
   * Returns the SQL condition that a column is captured, from SQL expressions of its number and
   * name.
   */
  public String has(String number, String name) {
    if (pieces.isEmpty()) {
      return text;
    }
    Map<String, String> all = new HashMap<>(pieces);
    all.put("number", number);
    all.put("name", name);
    return SqlTemplate.fill(text, all);
  }

  /** Returns the SQL condition that a column is captured, for a row of {@code pg_attribute}. */
  public String has(String attribute) {
    return has(attribute + ".attnum", attribute + ".attname");
  }

  private static final String NUMBERS =
      """
      ARRAY(SELECT a.attnum::int FROM pg_attribute AS a
            WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
              AND {is_captured} = ({captured}))""";

  /**
   * Returns an SQL expression for the numbers of a table's captured, or left-out, columns; an empty
   * array if all are captured.
   *
   * @param relation SQL expression of the table's oid
   */
  String numbers(String relation, boolean areCaptured) {
    return pieces.isEmpty()
        ? numbers(List.of())
        : SqlTemplate.fill(
            NUMBERS,
            Map.of(
                "relation",
                relation,
                "is_captured",
                Boolean.toString(areCaptured),
                "captured",
                has("a")));
  }
}
