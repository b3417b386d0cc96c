package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What changes of a table are applied to: the table in the target as it is now.
 *
 * @param key the key's columns; empty if the table has none
 * @param index what the target's index has of these, in their order; empty of a table that a log
 *     says
 */
record TableShape(
    LoggedTable table, List<Column> columns, List<Column> key, List<IndexColumn> index) {

  /**
   * A column in the key's index.
   *
   * @param number of the target; stays when the column is renamed, and is no other column's
   * @param equality the operator by which the index has two values for one: of a type that brings
   *     its own no search by the sign alone would find it
   */
  record IndexColumn(int number, String equality) {}

  /**
   * A column.
   *
   * @param type as the server prints it, which is SQL
   * @param isJson whether that is JSON, or a domain over it
   */
  record Column(String name, String type, boolean isJson) {
    String quoted() {
      return Quoted.identifier(name);
    }

    /** Whether the type is one of users: the server qualifies no other. */
    boolean isOfUsers() {
      return type.contains(".");
    }

    /**
     * Whether the server reads the value out of JSON in its type. It then calls the type's input
     * and no cast, which whoever owns a type may have made. JSON it would read otherwise.
     */
    boolean isReadAsItIs() {
      return isOfUsers() && !isJson;
    }

    /** A value's text in its type. */
    private String input(String text) {
      if (isReadAsItIs()) {
        return text;
      }
      return type.equals("\"char\"")
          ? SqlTemplate.fill(BYTE, Map.of("text", text, "octal", OCTAL))
          : "(" + text + ")::" + type;
    }

    /** Whether a cast to another type drops blanks at the end. */
    boolean isPadded() {
      return type.equals("bpchar") || type.matches("character\\(\\d+\\)");
    }

    /** The text of a value, by the type's output: a cast may be somebody's function. */
    String output(String value) {
      return isOfUsers() || isPadded()
          ? SqlTemplate.fill(
              "CASE WHEN {value} IS DISTINCT FROM NULL THEN format('%s', {value}) END",
              Map.of("value", value))
          : value + "::text";
    }
  }

  /** Servers before 15 do not read what logs have of a byte that is no character by itself. */
  private static final String BYTE =
      """
      CASE WHEN {text} ~ {octal} THEN (get_byte(decode({text}, 'escape'), 0) - 256)::"char"
          ELSE ({text})::"char" END""";

  private static final String OCTAL = Quoted.literal("^\\\\[23][0-7][0-7]$");

  Optional<Column> find(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }

  boolean hasKey() {
    return !key.isEmpty();
  }

  /** Whether it has columns and a key as a log says them. */
  boolean isAs(TableShape said) {
    return columns.equals(said.columns) && key.equals(said.key);
  }

  /** Whether the key consists of the columns that it had before, whatever they are called now. */
  boolean hasKeyOf(TableShape before) {
    return numbers().equals(before.numbers());
  }

  private List<Integer> numbers() {
    return index.stream().map(IndexColumn::number).toList();
  }

  /** Definitions of {@code columns} for what reads a row out of JSON. */
  static String read(List<Column> columns) {
    return list(
        columns,
        column -> column.quoted() + " " + (column.isReadAsItIs() ? column.type() : "text"));
  }

  /** The values of such a row {@code from} in their types. */
  static String typed(List<Column> columns, String from) {
    return list(columns, column -> typed(column, from));
  }

  private static String typed(Column column, String from) {
    return typedValue(column, from + "." + column.quoted());
  }

  private static String typedValue(Column column, String value) {
    return column.input(value);
  }

  static String names(List<Column> columns) {
    return list(columns, Column::quoted);
  }

  /** The key's values of such a row in their types, called k1, k2 and so on. */
  String typedKeys(String from) {
    return keys(i -> typed(key.get(i - 1), from) + " AS k" + i);
  }

  /** Columns of its types that are called so. */
  List<Column> keyColumns() {
    return IntStream.rangeClosed(1, key.size())
        .mapToObj(i -> new Column("k" + i, key.get(i - 1).type(), key.get(i - 1).isJson()))
        .toList();
  }

  /** That none of them is null: a row with a field that is null is not null itself. */
  String keysAreThere() {
    return IntStream.rangeClosed(1, key.size())
        .mapToObj(i -> "c.k" + i + " IS DISTINCT FROM NULL")
        .collect(Collectors.joining(" AND "));
  }

  String keys() {
    return keys(i -> "k" + i);
  }

  /** That a row of the table {@code t} has the key that {@code c} has. */
  String sameKey() {
    return IntStream.rangeClosed(1, key.size())
        .mapToObj(i -> sameKey(i, "t." + key.get(i - 1).quoted(), "c.k" + i))
        .collect(Collectors.joining(" AND "));
  }

  private String sameKey(int i, String one, String other) {
    return one + " " + index.get(i - 1).equality() + " " + other;
  }

  String assignments() {
    return list(columns, column -> column.quoted() + " = EXCLUDED." + column.quoted());
  }

  /**
   * All of a row of the table as one text that tells it from any other: NULL is not an empty text
   * in it.
   */
  String whole(String from) {
    return "ROW(" + list(columns, c -> c.output("(" + from + "." + c.quoted() + ")")) + ")::text";
  }

  /**
   * All columns of such a row, called c1, c2 and so on: whatever users call theirs, names of a
   * statement's own are not among them.
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
    return "ROW("
        + numbered(i -> columns.get(i - 1).output("(" + typedNumber(from, i) + ")"))
        + ")::text";
  }

  private String typedNumber(String from, int i) {
    return typedValue(columns.get(i - 1), from + ".c" + i);
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
