package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which columns a capture takes, as SQL: what {@link PinnedColumns#has} says.
 *
 * @param text of a condition, with places for {@code number} and {@code name} of a column
 * @param pieces the others of its places
 */
public record ChosenColumns(String text, Map<String, String> pieces) {
  /** All columns. */
  public static final ChosenColumns ALL = new ChosenColumns("true", Map.of());

  public ChosenColumns {
    pieces = Map.copyOf(pieces);
  }

  private static final String ONLY =
      """
      {number} <> ALL ({left_out})
          AND ({number} = ANY ({chosen}) OR {name} = ANY ({only}::text[]))""";

  private static final String EXCEPT =
      "{number} <> ALL ({left_out}) AND {name} <> ALL ({except}::text[])";

  private static final String OF_ENTRY =
      """
      {number} <> ALL ({left_out}) AND {name} <> ALL ({entry}except_columns)
          AND ({entry}only_columns = '{}' OR {number} = ANY ({entry}only_numbers)
            OR {name} = ANY ({entry}only_columns))""";

  /** As a capture is set up now. */
  static ChosenColumns of(PinnedColumns columns) {
    return of(columns, numbers(columns.leftOut()));
  }

  /** The same from then on, while columns that come are left out, too. */
  static ChosenColumns of(PinnedColumns columns, CaptureNames names, CaptureRule rule) {
    return of(
        columns,
        leftOut(
            numbers(columns.leftOut()),
            names.toldColumns(),
            Quoted.literal(rule.recorder().value()),
            Quoted.literal(rule.table().logged())));
  }

  private static ChosenColumns of(PinnedColumns columns, String leftOut) {
    List<String> only = columns.choice().only();
    List<String> except = columns.choice().except();
    if (!only.isEmpty()) {
      return new ChosenColumns(
          ONLY,
          Map.of(
              "left_out", leftOut,
              "chosen", numbers(columns.chosen()),
              "only", Quoted.array(only)));
    }
    return except.isEmpty()
        ? ALL
        : new ChosenColumns(EXCEPT, Map.of("left_out", leftOut, "except", Quoted.array(except)));
  }

  /**
   * Of a row of the table of captures.
   *
   * @param entry what its columns are called by, with a dot; or empty
   * @param leftOut SQL expression of the numbers that it leaves out
   */
  public static ChosenColumns ofEntry(String entry, String leftOut) {
    return new ChosenColumns(OF_ENTRY, Map.of("entry", entry, "left_out", leftOut));
  }

  private static final String LEFT_OUT =
      """
      {pinned} || ARRAY(SELECT unnest(told.left_out) FROM {told} AS told
          WHERE told.recorder = {recorder} AND told.captured = {captured})""";

  /**
   * The numbers of columns that are left out since a capture was set up, as an SQL expression.
   *
   * @param pinned SQL expression of those that were then
   * @param told the table of told columns, or what stands for it
   */
  public static String leftOut(String pinned, String told, String recorder, String captured) {
    return SqlTemplate.fill(
        LEFT_OUT,
        Map.of(
            "pinned", pinned,
            "told", told,
            "recorder", recorder,
            "captured", captured));
  }

  /** An array of numbers for SQL. */
  static String numbers(List<Integer> numbers) {
    return numbers.stream()
        .map(number -> Integer.toString(number))
        .collect(Collectors.joining(", ", "ARRAY[", "]::int[]"));
  }

  /** Whether a column is captured, by SQL expressions of its number and its name. */
  public String has(String number, String name) {
    if (pieces.isEmpty()) {
      return text;
    }
    Map<String, String> all = new HashMap<>(pieces);
    all.put("number", number);
    all.put("name", name);
    return SqlTemplate.fill(text, all);
  }

  /** The same of a row of {@code pg_attribute}. */
  public String has(String attribute) {
    return has(attribute + ".attnum", attribute + ".attname");
  }

  private static final String NOT_CAPTURED =
      """
      ARRAY(SELECT a.attnum::int FROM pg_attribute AS a
            WHERE a.attrelid = {relation} AND a.attnum > 0 AND NOT a.attisdropped
              AND NOT ({captured}))""";

  /**
   * The numbers of a table's columns that are not captured, as an SQL expression.
   *
   * @param relation SQL expression of the table's oid
   */
  String notCaptured(String relation) {
    return pieces.isEmpty()
        ? numbers(List.of())
        : SqlTemplate.fill(NOT_CAPTURED, Map.of("relation", relation, "captured", has("a")));
  }
}
