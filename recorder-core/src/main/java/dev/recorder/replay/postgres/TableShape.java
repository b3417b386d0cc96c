package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What changes of a table are applied to: the table in the target as it is now.
 *
 * @param key names of the key's columns; empty if the table has none
 */
record TableShape(LoggedTable table, List<Column> columns, List<Column> key) {

  /**
   * A column.
   *
   * @param type as the server prints it, which is SQL
   */
  record Column(String name, String type) {
    String quoted() {
      return Quoted.identifier(name);
    }
  }

  boolean hasKey() {
    return !key.isEmpty();
  }

  /** Definitions of {@code columns} as texts, for what reads a row out of JSON. */
  static String texts(List<Column> columns) {
    return list(columns, column -> column.quoted() + " text");
  }

  /** The values of such a row {@code from} in their types. */
  static String typed(List<Column> columns, String from) {
    return list(columns, column -> typed(column, from));
  }

  private static String typed(Column column, String from) {
    return "(" + from + "." + column.quoted() + ")::" + column.type();
  }

  static String names(List<Column> columns) {
    return list(columns, Column::quoted);
  }

  /** The key's values of such a row in their types, called k1, k2 and so on. */
  String typedKeys(String from) {
    return keys(i -> typed(key.get(i - 1), from) + " AS k" + i);
  }

  /** Definitions of columns that are called so. */
  String keyDefinitions() {
    return keys(i -> "k" + i + " " + key.get(i - 1).type());
  }

  /** That none of them is null. */
  String keysAreThere() {
    return IntStream.rangeClosed(1, key.size())
        .mapToObj(i -> "c.k" + i + " IS NOT NULL")
        .collect(Collectors.joining(" AND "));
  }

  String keys() {
    return keys(i -> "k" + i);
  }

  /** That a row of the table {@code t} has the key that {@code c} has. */
  String sameKey() {
    return IntStream.rangeClosed(1, key.size())
        .mapToObj(i -> "t." + key.get(i - 1).quoted() + " = c.k" + i)
        .collect(Collectors.joining(" AND "));
  }

  String assignments() {
    return list(columns, column -> column.quoted() + " = EXCLUDED." + column.quoted());
  }

  /** All of a row as one text that tells it from any other: NULL is not an empty text in it. */
  String whole(String from) {
    return "ROW(" + list(columns, c -> "(" + typed(c, from) + ")::text") + ")::text";
  }

  /**
   * All columns of such a row as texts called c1, c2 and so on: whatever users call theirs, names
   * of a statement's own are not among them.
   */
  String numbered(String from) {
    return numbered(i -> from + "." + columns.get(i - 1).quoted() + " AS c" + i);
  }

  /** Those in their types. */
  String typedNumbered(String from) {
    return numbered(i -> typedNumber(from, i));
  }

  /** Those as {@link #whole}. */
  String wholeNumbered(String from) {
    return "ROW(" + numbered(i -> "(" + typedNumber(from, i) + ")::text") + ")::text";
  }

  private String typedNumber(String from, int i) {
    return "(" + from + ".c" + i + ")::" + columns.get(i - 1).type();
  }

  private String numbered(IntFunction<String> each) {
    return IntStream.rangeClosed(1, columns.size())
        .mapToObj(each)
        .collect(Collectors.joining(", "));
  }

  private String keys(IntFunction<String> each) {
    return IntStream.rangeClosed(1, key.size()).mapToObj(each).collect(Collectors.joining(", "));
  }

  private static String list(List<Column> columns, Function<Column, String> each) {
    return columns.stream().map(each).collect(Collectors.joining(", "));
  }
}
