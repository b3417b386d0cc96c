package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.Kind;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes tables, and changes them, as a log's {@code schema} rows say: columns and key, and nothing
 * else. A type that the target does not have becomes {@code text}, which holds the same.
 *
 * <p>Touches no table that was not made here.
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
  Optional<TableShape> shape(TableName table) throws SQLException {
    List<Column> columns = new ArrayList<>();
    Map<Integer, Column> key = new java.util.TreeMap<>();
    try (SqlStatement statement = COLUMNS.on(connection)) {
      statement
          .set("table", table.quoted())
          .all(
              row -> {
                Column column = new Column(row.getString(1), row.getString(2));
                columns.add(column);
                if (row.getInt(3) > 0) {
                  key.put(row.getInt(3), column);
                }
                return column;
              });
    }
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    if (!books.isOurs(table)) {
      throw books.others(table);
    }
    return Optional.of(new TableShape(table, columns, List.copyOf(key.values())));
  }

  /** Makes the table what the payload of a {@code schema} row says. */
  void follow(TableName table, String payload) throws SQLException {
    TableShape wanted = wanted(table, payload);
    Optional<TableShape> there = shape(table);
    if (there.isEmpty()) {
      create(wanted);
    } else if (!there.get().equals(wanted)) {
      change(there.get(), wanted);
    }
  }

  private static final Sql WANTED =
      Sql.of(
          """
          SELECT c.name, c.type, c.type !~ '--|/[*]'
          FROM json_to_recordset(:payload::json -> 'columns') AS c (name text, type text)
          """);

  private static final Sql WANTED_KEY =
      Sql.of("SELECT * FROM json_array_elements_text(coalesce(:payload::json -> 'key', '[]'))");

  private TableShape wanted(TableName table, String payload) throws SQLException {
    List<Column> columns;
    try (SqlStatement statement = WANTED.on(connection)) {
      columns =
          statement
              .set("payload", payload)
              .all(row -> new Column(row.getString(1), row.getBoolean(3) ? row.getString(2) : ""));
    }
    List<Column> typed = new ArrayList<>();
    for (Column column : columns) {
      typed.add(isThere(column.type()) ? column : new Column(column.name(), "text"));
    }
    Map<String, Column> byName =
        typed.stream().collect(Collectors.toMap(Column::name, Function.identity(), (a, b) -> a));
    List<Column> key = new ArrayList<>();
    try (SqlStatement statement = WANTED_KEY.on(connection)) {
      for (String name : statement.set("payload", payload).all(row -> row.getString(1))) {
        key.add(
            Optional.ofNullable(byName.get(name))
                .orElseThrow(
                    () ->
                        new ReplayException(
                            Kind.LOG,
                            "the key of %s has column %s, which the log does not hold"
                                .formatted(table, name))));
      }
    }
    return new TableShape(table, typed, key);
  }

  private static final Sql TYPE = Sql.of("SELECT to_regtype(:type) IS NOT NULL");

  /** It is a type's name and nothing else, or the server says so. */
  private boolean isThere(String type) throws SQLException {
    if (type.isEmpty()) {
      return false;
    }
    try (SqlStatement statement = TYPE.on(connection)) {
      return statement.set("type", type).truth();
    }
  }

  private static final Sql NO_SCHEMA =
      Sql.of("SELECT NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = :schema)");

  private void create(TableShape wanted) throws SQLException {
    TableName table = wanted.table();
    if (books.owner(table) != null) {
      throw new ReplayException(
          Kind.OTHERS,
          "table %s is gone, which a replay had made; replay into another database"
              .formatted(table));
    }
    try (SqlStatement statement = NO_SCHEMA.on(connection)) {
      if (statement.set("schema", table.schema()).truth()) {
        run("CREATE SCHEMA " + TableName.quote(table.schema()));
      }
    }
    books.own(table);
    String columns =
        wanted.columns().stream()
            .map(column -> column.quoted() + " " + column.type())
            .collect(Collectors.joining(", "));
    run("CREATE TABLE " + table.quoted() + " (" + columns + key(", ", wanted) + ")");
  }

  private static String key(String before, TableShape wanted) {
    return wanted.hasKey()
        ? before + "PRIMARY KEY (" + TableShape.names(wanted.key()) + ")"
        : "";
  }

  private static final Sql KEY_NAME =
      Sql.of(
          """
          SELECT conname FROM pg_constraint
          WHERE conrelid = to_regclass(:table) AND contype = 'p'
          """);

  private void change(TableShape there, TableShape wanted) throws SQLException {
    List<String> steps = new ArrayList<>();
    boolean otherKey = !there.key().equals(wanted.key());
    if (otherKey) {
      try (SqlStatement statement = KEY_NAME.on(connection)) {
        statement
            .set("table", there.table().quoted())
            .first(row -> row.getString(1))
            .ifPresent(name -> steps.add("DROP CONSTRAINT " + TableName.quote(name)));
      }
    }
    Map<String, Column> before =
        there.columns().stream().collect(Collectors.toMap(Column::name, Function.identity()));
    Map<String, Column> after =
        wanted.columns().stream()
            .collect(Collectors.toMap(Column::name, Function.identity(), (a, b) -> a));
    for (Column column : there.columns()) {
      if (!after.containsKey(column.name())) {
        steps.add("DROP COLUMN " + column.quoted());
      }
    }
    for (Column column : wanted.columns()) {
      Column old = before.get(column.name());
      if (old == null) {
        steps.add("ADD COLUMN " + column.quoted() + " " + column.type());
      } else if (!old.equals(column)) {
        steps.add(
            "ALTER COLUMN %1$s TYPE %2$s USING %1$s::text::%2$s"
                .formatted(column.quoted(), column.type()));
      }
    }
    if (!steps.isEmpty()) {
      run("ALTER TABLE " + there.table().quoted() + " " + String.join(", ", steps));
    }
    if (otherKey && wanted.hasKey()) {
      run("ALTER TABLE " + there.table().quoted() + key(" ADD ", wanted));
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
