package dev.recorder.capture.script;

import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedColumn;
import dev.recorder.capture.CapturedTable;
import dev.recorder.postgres.sql.Quoted;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parts of statements that depend on a table's columns. In this order: the columns, each
 * encoded under its alias; the images of rows {@code n} and {@code o}; the members with their keys;
 * the condition that {@code o} and {@code n} have the same key; the log's key; the condition that a
 * row is captured.
 */
record Fragments(List<String> parts) {
  private static final int PARTS = 8;

  /** Marks the place of a part that only the trigger knows. No name contains this character. */
  private static final char MARK = '\uFDD0';

  Fragments {
    parts = List.copyOf(parts);
    if (parts.size() != PARTS) {
      throw new IllegalArgumentException(parts.size() + " parts");
    }
  }

  String source() {
    return parts.get(0);
  }

  String newImage() {
    return parts.get(1);
  }

  String oldImage() {
    return parts.get(2);
  }

  String newKey() {
    return parts.get(3);
  }

  String oldKey() {
    return parts.get(4);
  }

  String sameKey() {
    return parts.get(5);
  }

  String logKey() {
    return parts.get(6);
  }

  String condition() {
    return parts.get(7);
  }

  /**
   * Returns the parts for a table whose columns are known.
   *
   * @param row alias of a row of a transition table
   */
  static Fragments of(CapturedTable table, CaptureRule rule, String row) {
    List<CapturedColumn> columns = table.columns();
    List<CapturedColumn> key = table.key();
    return new Fragments(
        List.of(
            joined(columns, "", c -> ", " + c.encoded(reference(row, c)) + " AS " + c.alias()),
            joined(columns, ", ", c -> "n." + c.alias() + " AS " + Quoted.identifier(c.name())),
            joined(columns, ", ", c -> "o." + c.alias() + " AS " + Quoted.identifier(c.name())),
            keyMember(key, "n"),
            keyMember(key, "o"),
            key.isEmpty()
                ? "true"
                : joined(key, " AND ", c -> c.same("o." + c.alias(), "n." + c.alias())),
            logKey(table, rule, row),
            condition(rule)));
  }

  private static String keyMember(List<CapturedColumn> key, String of) {
    String columns =
        joined(key, ", ", c -> of + "." + c.alias() + " AS " + Quoted.identifier(c.name()));
    return key.isEmpty() ? "" : ", " + ChangeStatements.image(columns) + " AS key";
  }

  private static String logKey(CapturedTable captured, CaptureRule rule, String row) {
    String own = rule.options().key();
    if (own != null) {
      return captured.expressions().keyText().of(own);
    }
    String table = rule.table().logged();
    return Quoted.literal(table)
        + joined(captured.key(), "", c -> " || '/' || " + c.encoded(reference(row, c)) + "::text");
  }

  /** Returns the rule's condition. As in WHERE, NULL counts as false. */
  private static String condition(CaptureRule rule) {
    String when = rule.options().when();
    return when == null ? "true" : isTrue(when);
  }

  static String isTrue(String expression) {
    return "(" + expression + ") IS TRUE";
  }

  private static String reference(String row, CapturedColumn column) {
    return row + "." + Quoted.identifier(column.name());
  }

  private static String joined(
      List<CapturedColumn> columns, String between, Function<CapturedColumn, String> part) {
    return columns.stream().map(part).collect(Collectors.joining(between));
  }

  /** Returns placeholders for parts that the trigger fills in, see {@link #pattern}. */
  static Fragments unknown() {
    return new Fragments(IntStream.range(0, PARTS).mapToObj(i -> MARK + "" + i).toList());
  }

  /** Returns a statement with placeholders as a pattern for SQL's {@code format}. */
  static String pattern(String statement) {
    String pattern = statement.replace("%", "%%");
    for (int i = 0; i < PARTS; i++) {
      pattern = pattern.replace(MARK + "" + i, String.format(Locale.ROOT, "%%%d$s", i + 1));
    }
    return pattern;
  }
}
