package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.IncompleteTable;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.postgres.SchemaChange.NewColumn;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes tables, and changes them, as a log's {@code schema} rows say: columns and key, and nothing
 * else. Touches no table that was not made here.
 */
final class Definitions {
  private final Connection connection;
  private final Bookkeeping books;
  private final ColumnChanges changes;

  Definitions(Connection connection, Bookkeeping books) {
    this.connection = connection;
    this.books = books;
    this.changes = new ColumnChanges(connection);
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

  /**
   * Makes the table what the payload of a {@code schema} row says.
   *
   * @return what of its rows could not be kept; empty if nothing was lost
   */
  Optional<IncompleteTable> follow(LoggedTable table, String payload) throws SQLException {
    SchemaChange row = SchemaChange.read(connection, table, payload);
    Optional<TableShape> there = shape(table);
    if (there.isEmpty()) {
      create(row);
      return Optional.empty();
    }
    List<NewColumn> noted = SchemaChange.columns(connection, books.columns(table, payload));
    rename(row, noted);
    Optional<IncompleteTable> lost =
        changes.change(shape(table).orElseThrow(), row, replaced(row, noted));
    books.noteColumns(table, payload);
    return lost;
  }

  /** Names of columns that are not the ones that were called so: their numbers are others. */
  private static Set<String> replaced(SchemaChange row, List<NewColumn> noted) {
    Set<Integer> known = noted.stream().map(NewColumn::number).collect(Collectors.toSet());
    Set<String> names =
        noted.stream()
            .filter(column -> column.number() > 0)
            .map(NewColumn::name)
            .collect(Collectors.toSet());
    return row.columns().stream()
        .filter(column -> column.number() > 0 && !known.contains(column.number()))
        .map(NewColumn::name)
        .filter(names::contains)
        .collect(Collectors.toSet());
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
        changes.run(SqlTemplate.fill("CREATE SCHEMA {schema}", Map.of("schema", schema)));
      }
    }
    books.own(table, row.payload());
    String columns =
        wanted.columns().stream().map(ColumnChanges::definition).collect(Collectors.joining(", "));
    changes.run(
        SqlTemplate.fill(
            "CREATE TABLE {table} ({columns}{key})",
            Map.of(
                "table",
                table.quoted(),
                "columns",
                columns,
                "key",
                ColumnChanges.key(", ", wanted))));
  }

  /** By way of names that no column has: two may have swapped theirs. */
  private void rename(SchemaChange row, List<NewColumn> noted) throws SQLException {
    Map<Integer, String> before =
        noted.stream()
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
        changes.alter(
            row.table(), "DROP COLUMN {column}", Map.of("column", inTheWay.get().quoted()));
      }
      rename(row.table(), passing(column), column.name());
    }
  }

  private static String passing(NewColumn column) {
    return "recorder_replay_" + column.number();
  }

  private void rename(LoggedTable table, String from, String to) throws SQLException {
    changes.alter(
        table,
        "RENAME COLUMN {from} TO {to}",
        Map.of("from", Quoted.identifier(from), "to", Quoted.identifier(to)));
  }
}
