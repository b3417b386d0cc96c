package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code schema} row of a log says of a table's columns.
 *
 * @param payload all of it
 */
record SchemaChange(LoggedTable table, List<NewColumn> columns, List<String> key, String payload) {

  /**
   * A column as it is from now on.
   *
   * @param number stays when it is renamed, and is no other column's; 0 if the log does not say it
   * @param existing the value of rows that were there before it was added; null for NULL
   */
  record NewColumn(int number, Column column, @Nullable String existing) {
    String name() {
      return column.name();
    }
  }

  /** Reads it, with types that the target has; of others the values are kept as text. */
  static SchemaChange read(Connection connection, LoggedTable table, String payload)
      throws SQLException {
    List<NewColumn> columns = new ArrayList<>();
    for (NewColumn said : columns(connection, payload)) {
      boolean there = isThere(connection, said.column().type());
      Column column = there ? said.column() : new Column(said.name(), "text");
      columns.add(new NewColumn(said.number(), column, said.existing()));
    }
    try (SqlStatement statement = KEY.on(connection)) {
      List<String> key = statement.set("payload", payload).all(row -> row.getString(1));
      return new SchemaChange(table, columns, key, payload);
    }
  }

  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT coalesce(c.number, 0), c.name, CASE WHEN c.type !~ '--|/[*]' THEN c.type END,
            c.existing_rows
          FROM json_to_recordset(:payload::json -> 'columns')
            AS c (number integer, name text, type text, existing_rows text)
          """);

  private static final Sql KEY =
      Sql.of("SELECT * FROM json_array_elements_text(coalesce(:payload::json -> 'key', '[]'))");

  /** As they are said. */
  static List<NewColumn> columns(Connection connection, String payload) throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement
          .set("payload", payload)
          .all(
              row -> {
                String type = row.getString(3);
                Column column = new Column(row.getString(2), type == null ? "" : type);
                return new NewColumn(row.getInt(1), column, row.getString(4));
              });
    }
  }

  private static final Sql TYPE = Sql.of("SELECT to_regtype(:type) IS NOT NULL");

  /** It is a type's name and nothing else, or the server says so. */
  private static boolean isThere(Connection connection, String type) throws SQLException {
    if (type.isEmpty()) {
      return false;
    }
    try (SqlStatement statement = TYPE.on(connection)) {
      return statement.set("type", type).truth();
    }
  }

  /** The table that it describes. */
  TableShape shape() {
    List<Column> keys = new ArrayList<>();
    for (String name : key) {
      keys.add(
          columns.stream()
              .map(NewColumn::column)
              .filter(column -> column.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ReplayException(
                          ReplayErrorKind.LOG,
                          "the key of %s has column %s, which the log does not hold"
                              .formatted(table, name))));
    }
    return new TableShape(table, columns.stream().map(NewColumn::column).toList(), keys);
  }
}
