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
 * The present table in the target, or a table as a log defines it.
 *
 * @param key the key's columns; empty if the table has none
 * @param index the target's index on them, in their order; empty for a table as defined by a log
 */
record TableShape(
    LoggedTable table, List<Column> columns, List<Column> key, List<IndexColumn> index) {

  /**
   * A column in the key's index.
   *
   * @param number unique number in the target, which a rename does not change
   * @param equality the operator by which the index considers values equal; for a type with an
   *     operator of its own, {@code =} alone would not find that operator
   */
  record IndexColumn(int number, String equality) {}

  /**
   * A column.
   *
   * @param type as the server prints it, which is SQL
   * @param isJson whether the type is JSON or a domain over it
   */
  record Column(String name, String type, boolean isJson) {
    String quoted() {
      return Quoted.identifier(name);
    }

    /**
     * Returns whether the type is user-defined: the server prints only such types with a schema.
     */
    boolean isOfUsers() {
      return type.contains(".");
    }

    /**
     * Returns whether the value can be read from JSON directly in its type. The server then calls
     * the type's input function and no cast function of the type's owner. This is not used for JSON
     * types, which the server would read differently.
     */
    boolean isReadAsItIs() {
      return isOfUsers() && !isJson;
    }

    /** Returns an expression that turns a value's text into the type. */
    private String input(String text) {
      if (isReadAsItIs()) {
        return text;
      }
      return type.equals("\"char\"")
          ? SqlTemplate.fill(BYTE, Map.of("text", text, "octal", OCTAL))
          : "(" + text + ")::" + type;
    }

    /** Returns whether a cast to another type drops trailing blanks. */
    boolean isPadded() {
      return type.equals("bpchar") || type.matches("character\\(\\d+\\)");
    }

    /**
     * Returns an expression for a value's text by the type's output function. A cast may call
     * another role's function.
     */
    String output(String value) {
      return isOfUsers() || isPadded()
          ? SqlTemplate.fill(
              "CASE WHEN {value} IS DISTINCT FROM NULL THEN format('%s', {value}) END",
              Map.of("value", value))
          : value + "::text";
    }
  }

  /**
   * Converts a {@code "char"} that is no character: servers before 15 cannot read the form in which
   * logs have such a byte.
   */
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

  /** Returns whether columns and key are the ones that a log defines. */
  boolean isAs(TableShape said) {
    return columns.equals(said.columns) && key.equals(said.key);
  }

  /** Returns whether the key consists of the same columns as before, whatever their names. */
  boolean hasKeyOf(TableShape before) {
    return numbers().equals(before.numbers());
  }

  private List<Integer> numbers() {
    return index.stream().map(IndexColumn::number).toList();
  }

  /** Returns column definitions for reading a row from JSON. */
  static String read(List<Column> columns) {
    return list(
        columns,
        column -> column.quoted() + " " + (column.isReadAsItIs() ? column.type() : "text"));
  }

  /** Returns expressions for the values of a row {@code from}, read from JSON, in their types. */
  static String typed(List<Column> columns, String from) {
    return list(columns, column -> typed(column, from));
  }

  private static String typed(Column column, String from) {
    return column.input(from + "." + column.quoted());
  }

  static String names(List<Column> columns) {
    return list(columns, Column::quoted);
  }

  /**
   * Returns expressions for the key's values of a row {@code from}, read from JSON, in their types,
   * named k1, k2 and so on.
   */
  String typedKeys(String from) {
    return keys(", ", i -> typed(key.get(i - 1), from) + " AS k" + i);
  }

  /** Returns the key's columns, named k1, k2 and so on. */
  List<Column> keyColumns() {
    return IntStream.rangeClosed(1, key.size())
        .mapToObj(i -> new Column("k" + i, key.get(i - 1).type(), key.get(i - 1).isJson()))
        .toList();
  }

  /**
   * Returns the condition that no key value is null. Each value is tested, since a row value with
   * one null field is not null itself.
   */
  String keysAreThere() {
    return keys(" AND ", i -> "c.k" + i + " IS DISTINCT FROM NULL");
  }

  String keys() {
    return keys(", ", i -> "k" + i);
  }

  /** Returns the condition that a row {@code t} of the table has the key of {@code c}. */
  String sameKey() {
    return keys(
        " AND ",
        i -> "t." + key.get(i - 1).quoted() + " " + index.get(i - 1).equality() + " c.k" + i);
  }

  String assignments() {
    return list(columns, column -> column.quoted() + " = EXCLUDED." + column.quoted());
  }

  /**
   * Returns an expression for a row of the table as one text, which is unique to its content and
   * distinguishes NULL from an empty text.
   */
  String whole(String from) {
    return "ROW(" + list(columns, c -> c.output("(" + from + "." + c.quoted() + ")")) + ")::text";
  }

  /**
   * Returns expressions for all columns of a row {@code from}, named c1, c2 and so on, so that
   * users' names do not clash with a statement's own names.
   */
  String numbered(String from) {
    return numbered(i -> from + "." + columns.get(i - 1).quoted() + " AS c" + i);
  }

  /** Returns expressions for the columns c1, c2 and so on in their types. */
  String typedNumbered(String from) {
    return numbered(i -> typedNumber(from, i));
  }

  /** Returns an expression for the columns c1, c2 and so on as one text, as in {@link #whole}. */
  String wholeNumbered(String from) {
    return "ROW("
        + numbered(i -> columns.get(i - 1).output("(" + typedNumber(from, i) + ")"))
        + ")::text";
  }

  private String typedNumber(String from, int i) {
    return columns.get(i - 1).input(from + ".c" + i);
  }

  private String numbered(IntFunction<String> each) {
    return IntStream.rangeClosed(1, columns.size())
        .mapToObj(each)
        .collect(Collectors.joining(", "));
  }

  private String keys(String between, IntFunction<String> each) {
    return IntStream.rangeClosed(1, key.size()).mapToObj(each).collect(Collectors.joining(between));
  }

  private static String list(List<Column> columns, Function<Column, String> each) {
    return columns.stream().map(each).collect(Collectors.joining(", "));
  }
}
