package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.IncompleteTable;
import dev.recorder.replay.postgres.SchemaChange.NewColumn;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Changes columns and key of a table that has rows. Values get another type by way of their text.
 * Where that cannot be, since the log does not say what an {@code ALTER TABLE … USING} made of
 * them, they are given up, so that the replay of all other tables goes on.
 */
final class ColumnChanges {
  private final Connection connection;

  ColumnChanges(Connection connection) {
    this.connection = connection;
  }

  /**
   * What there is, what it becomes.
   *
   * @param replaced names of columns that are new ones in the place of others
   */
  private record Wanted(TableShape there, SchemaChange row, Set<String> replaced) {
    Optional<Column> kept(String name) {
      return find(there, name).filter(column -> !replaced.contains(name));
    }

    boolean isRetyped(NewColumn said) {
      return kept(said.name()).filter(old -> !old.equals(said.column())).isPresent();
    }

    boolean isOtherKey() {
      return !there.key().stream().map(Column::name).toList().equals(row.key())
          || row.key().stream().anyMatch(replaced::contains);
    }

    boolean isInKey(NewColumn column) {
      return row.key().contains(column.name())
          || there.key().stream().map(Column::name).anyMatch(column.name()::equals);
    }
  }

  /**
   * Makes the table what the row says.
   *
   * @param replaced names of columns that are new ones in the place of others
   * @return what of its rows could not be kept; empty if nothing was lost
   */
  Optional<IncompleteTable> change(TableShape there, SchemaChange row, Set<String> replaced)
      throws SQLException {
    Wanted wanted = new Wanted(there, row, replaced);
    if (isDone(() -> change(wanted, column -> false))) {
      return Optional.empty();
    }
    LoggedTable table = there.table();
    List<NewColumn> lost = new ArrayList<>();
    for (NewColumn column : row.columns()) {
      if (wanted.isRetyped(column) && !isDone(() -> read(table, column.column()))) {
        lost.add(column);
      }
    }
    // Without its key, and in a table without one, a row would be found by no later change.
    boolean areFound = row.shape().hasKey() && lost.stream().noneMatch(wanted::isInKey);
    if (areFound && !lost.isEmpty() && isDone(() -> change(wanted, lost::contains))) {
      return Optional.of(
          new IncompleteTable(table.toString(), lost.stream().map(NewColumn::name).toList()));
    }
    run(SqlTemplate.fill("TRUNCATE {table}", Map.of("table", table.quoted())));
    change(wanted, column -> true);
    return Optional.of(new IncompleteTable(table.toString(), List.of()));
  }

  /** A step that may be taken back. */
  @FunctionalInterface
  private interface Step {
    void take() throws SQLException;
  }

  /** Whether the values that are there allow it; if not, nothing of it is left. */
  private boolean isDone(Step step) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      step.take();
    } catch (SQLException e) {
      if (!isOfValues(e)) {
        throw e;
      }
      connection.rollback(before);
      return false;
    }
    connection.releaseSavepoint(before);
    return true;
  }

  /** A text that is no value of a type, no cast, or a key or a domain that it breaks. */
  private static boolean isOfValues(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("22") || state.startsWith("23") || state.equals("42846");
  }

  private void read(LoggedTable table, Column column) throws SQLException {
    run(
        SqlTemplate.fill(
            "SELECT count(t.{column}::text::{type}) FROM {table} AS t",
            Map.of("column", column.quoted(), "type", column.type(), "table", table.quoted())));
  }

  private static final Sql KEY_NAME =
      Sql.of(
          """
          SELECT conname FROM pg_constraint
          WHERE conrelid = to_regclass(:table) AND contype = 'p'
          """);

  /** Of columns that are {@code lost} the values that are there become NULL. */
  private void change(Wanted wanted, Predicate<NewColumn> lost) throws SQLException {
    TableShape there = wanted.there();
    List<String> steps = new ArrayList<>();
    if (wanted.isOtherKey()) {
      try (SqlStatement statement = KEY_NAME.on(connection)) {
        statement
            .set("table", there.table().quoted())
            .first(found -> found.getString(1))
            .ifPresent(name -> steps.add(drop("CONSTRAINT", Quoted.identifier(name))));
      }
    }
    steps.addAll(columns(wanted, lost));
    if (!steps.isEmpty()) {
      alter(there.table(), String.join(", ", steps));
    }
    for (NewColumn column : wanted.row().columns()) {
      if (column.existing() != null && wanted.kept(column.name()).isEmpty()) {
        alter(
            there.table(),
            "ALTER COLUMN {column} DROP DEFAULT",
            Map.of("column", column.column().quoted()));
      }
    }
    if (wanted.isOtherKey() && !wanted.row().key().isEmpty()) {
      alter(there.table(), key("ADD ", wanted.row().shape()));
    }
  }

  private List<String> columns(Wanted wanted, Predicate<NewColumn> lost) throws SQLException {
    List<String> steps = new ArrayList<>();
    TableShape said = wanted.row().shape();
    for (Column column : wanted.there().columns()) {
      if (find(said, column.name()).isEmpty() || wanted.kept(column.name()).isEmpty()) {
        steps.add(drop("COLUMN", column.quoted()));
      }
    }
    for (NewColumn each : wanted.row().columns()) {
      Column column = each.column();
      if (wanted.kept(each.name()).isEmpty()) {
        steps.add(
            SqlTemplate.fill(
                "ADD COLUMN {column}{existing}",
                Map.of("column", definition(column), "existing", existing(each))));
      } else if (wanted.isRetyped(each)) {
        steps.add(
            SqlTemplate.fill(
                "ALTER COLUMN {column} TYPE {type} USING {value}::{type}",
                Map.of(
                    "column",
                    column.quoted(),
                    "type",
                    column.type(),
                    "value",
                    lost.test(each) ? "NULL" : column.quoted() + "::text")));
      }
    }
    return steps;
  }

  static String definition(Column column) {
    return column.quoted() + " " + column.type();
  }

  /** What makes the key; empty if the table has none. */
  static String key(String before, TableShape wanted) {
    return wanted.hasKey()
        ? SqlTemplate.fill(
            "{before}PRIMARY KEY ({columns})",
            Map.of("before", before, "columns", TableShape.names(wanted.key())))
        : "";
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

  /** Changes a table by a step, and by several. */
  void alter(LoggedTable table, String step, Map<String, String> pieces) throws SQLException {
    alter(table, SqlTemplate.fill(step, pieces));
  }

  private void alter(LoggedTable table, String steps) throws SQLException {
    run(
        SqlTemplate.fill(
            "ALTER TABLE {table} {steps}", Map.of("table", table.quoted(), "steps", steps)));
  }

  /** Of names in quotes, and of types that the server knows. */
  void run(String definition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(definition);
    }
  }
}
