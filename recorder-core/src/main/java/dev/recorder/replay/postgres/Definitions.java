package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.postgres.SchemaChange.NewColumn;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes tables, and changes them, as a log's {@code schema} rows say: columns and key, and nothing
 * else. Touches no table that was not made here.
 */
final class Definitions {
  private final Connection connection;
  private final Bookkeeping books;

  Definitions(Connection connection, Bookkeeping books) {
    this.connection = connection;
    this.books = books;
  }

  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT a.attname, format_type(a.atttypid, a.atttypmod),
            coalesce(array_position(k.conkey, a.attnum), 0)
          FROM pg_attribute a
            LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
          WHERE a.attrelid = to_regclass(:table) AND a.attnum > 0 AND NOT a.attisdropped
          ORDER BY a.attnum
          """);

  /** The table as it is now; empty if there is none. */
  Optional<TableShape> shape(LoggedTable table) throws SQLException {
    List<Column> columns = new ArrayList<>();
    Map<Integer, Column> key = new TreeMap<>();
    try (SqlStatement statement = COLUMNS.on(connection)) {
      statement
          .set("table", table.quoted())
          .all(
              row -> {
                Column column = new Column(row.getString(1), row.getString(2));
                if (row.getInt(3) > 0) {
                  key.put(row.getInt(3), column);
                }
                return columns.add(column);
              });
    }
    if (columns.isEmpty()) {
      return Optional.empty();
    } else if (!books.isOurs(table)) {
      throw books.others(table);
    }
    return Optional.of(new TableShape(table, columns, List.copyOf(key.values())));
  }

  /** Makes the table what the payload of a {@code schema} row says. */
  void follow(LoggedTable table, String payload) throws SQLException {
    SchemaChange row = SchemaChange.read(connection, table, payload);
    Optional<TableShape> there = shape(table);
    if (there.isEmpty()) {
      create(row);
    } else {
      rename(row);
      change(shape(table).orElseThrow(), row);
      books.noteColumns(table, payload);
    }
  }

  private static final Sql NO_SCHEMA =
      Sql.of("SELECT NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = :schema)");

  private void create(SchemaChange row) throws SQLException {
    LoggedTable table = row.table();
    TableShape wanted = row.shape();
    if (books.isOurs(table)) {
      throw new ReplayException(
          ReplayErrorKind.OTHERS,
          "table %s is gone, which a replay had made; replay into another database"
              .formatted(table));
    }
    try (SqlStatement statement = NO_SCHEMA.on(connection)) {
      if (statement.set("schema", table.schema()).truth()) {
        String schema = Quoted.identifier(table.schema());
        run(SqlTemplate.fill("CREATE SCHEMA {schema}", Map.of("schema", schema)));
      }
    }
    books.own(table, row.payload());
    String columns =
        wanted.columns().stream().map(Definitions::definition).collect(Collectors.joining(", "));
    run(
        SqlTemplate.fill(
            "CREATE TABLE {table} ({columns}{key})",
            Map.of("table", table.quoted(), "columns", columns, "key", key(", ", wanted))));
  }

  private static String definition(Column column) {
    return column.quoted() + " " + column.type();
  }

  private static String key(String before, TableShape wanted) {
    return wanted.hasKey()
        ? SqlTemplate.fill(
            "{before}PRIMARY KEY ({columns})",
            Map.of("before", before, "columns", TableShape.names(wanted.key())))
        : "";
  }

  /** By way of names that no column has: two may have swapped theirs. */
  private void rename(SchemaChange row) throws SQLException {
    Map<Integer, String> before =
        SchemaChange.columns(connection, books.columns(row.table())).stream()
            .filter(column -> column.number() > 0)
            .collect(Collectors.toMap(NewColumn::number, NewColumn::name, (a, b) -> a));
    List<NewColumn> renamed =
        row.columns().stream()
            .filter(
                column ->
                    !before.getOrDefault(column.number(), column.name()).equals(column.name()))
            .toList();
    for (NewColumn column : renamed) {
      rename(row.table(), String.valueOf(before.get(column.number())), passing(column));
    }
    for (NewColumn column : renamed) {
      Optional<Column> inTheWay =
          shape(row.table()).orElseThrow().columns().stream()
              .filter(other -> other.name().equals(column.name()))
              .findFirst();
      if (inTheWay.isPresent()) { // Dropped, and its name given to this one.
        alter(row.table(), "DROP COLUMN {column}", Map.of("column", inTheWay.get().quoted()));
      }
      rename(row.table(), passing(column), column.name());
    }
  }

  private static String passing(NewColumn column) {
    return "recorder_replay_" + column.number();
  }

  private void rename(LoggedTable table, String from, String to) throws SQLException {
    alter(
        table,
        "RENAME COLUMN {from} TO {to}",
        Map.of("from", Quoted.identifier(from), "to", Quoted.identifier(to)));
  }

  private void alter(LoggedTable table, String step, Map<String, String> pieces)
      throws SQLException {
    alter(table, SqlTemplate.fill(step, pieces));
  }

  private void alter(LoggedTable table, String steps) throws SQLException {
    run(
        SqlTemplate.fill(
            "ALTER TABLE {table} {steps}", Map.of("table", table.quoted(), "steps", steps)));
  }

  private static final Sql KEY_NAME =
      Sql.of(
          """
          SELECT conname FROM pg_constraint
          WHERE conrelid = to_regclass(:table) AND contype = 'p'
          """);

  private void change(TableShape there, SchemaChange row) throws SQLException {
    TableShape wanted = row.shape();
    List<String> steps = new ArrayList<>();
    List<String> names = there.key().stream().map(Column::name).toList();
    boolean otherKey = !names.equals(row.key());
    if (otherKey) {
      try (SqlStatement statement = KEY_NAME.on(connection)) {
        statement
            .set("table", there.table().quoted())
            .first(found -> found.getString(1))
            .ifPresent(name -> steps.add(drop("CONSTRAINT", Quoted.identifier(name))));
      }
    }
    steps.addAll(columns(there, row));
    if (!steps.isEmpty()) {
      alter(there.table(), String.join(", ", steps));
    }
    for (NewColumn column : row.columns()) {
      if (column.existing() != null && find(there, column.name()).isEmpty()) {
        alter(
            there.table(),
            "ALTER COLUMN {column} DROP DEFAULT",
            Map.of("column", column.column().quoted()));
      }
    }
    if (otherKey && wanted.hasKey()) {
      alter(there.table(), key("ADD ", wanted));
    }
  }

  private List<String> columns(TableShape there, SchemaChange row) throws SQLException {
    List<String> steps = new ArrayList<>();
    TableShape wanted = row.shape();
    for (Column column : there.columns()) {
      if (find(wanted, column.name()).isEmpty()) {
        steps.add(drop("COLUMN", column.quoted()));
      }
    }
    for (NewColumn said : row.columns()) {
      Column column = said.column();
      Optional<Column> old = find(there, said.name());
      if (old.isEmpty()) {
        steps.add(
            SqlTemplate.fill(
                "ADD COLUMN {column}{existing}",
                Map.of("column", definition(column), "existing", existing(said))));
      } else if (!old.get().equals(column)) {
        steps.add(
            SqlTemplate.fill(
                "ALTER COLUMN {column} TYPE {type} USING {column}::text::{type}",
                Map.of("column", column.quoted(), "type", column.type())));
      }
    }
    return steps;
  }

  private static String drop(String what, String name) {
    return SqlTemplate.fill("DROP {what} {name}", Map.of("what", what, "name", name));
  }

  private static Optional<Column> find(TableShape table, String name) {
    return table.columns().stream().filter(column -> column.name().equals(name)).findFirst();
  }

  private static final Sql LITERAL = Sql.of("SELECT quote_literal(:text)");

  /** A default gives rows that are there their value without a copy of the table. */
  private String existing(NewColumn column) throws SQLException {
    String value = column.existing();
    if (value == null) {
      return "";
    }
    try (SqlStatement statement = LITERAL.on(connection)) {
      String literal = statement.set("text", value).first(row -> row.getString(1)).orElseThrow();
      return SqlTemplate.fill(
          " DEFAULT {literal}::{type}", Map.of("literal", literal, "type", column.column().type()));
    }
  }

  /** Of names in quotes, and of types that the server knows. */
  private void run(String definition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(definition);
    }
  }
}
