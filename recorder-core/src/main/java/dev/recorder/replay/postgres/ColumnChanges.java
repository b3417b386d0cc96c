package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayNote.ReplayNoteKind;
import dev.recorder.replay.postgres.SchemaChange.NewColumn;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Changes columns and key of a table with rows. Values are converted to another type by way of
 * their text. The log does not contain the expression of an {@code ALTER TABLE … USING}. So if a
 * conversion is impossible, the values are lost, and the replay continues.
 */
final class ColumnChanges {
  private final Connection connection;
  private final SavepointAttempt attempt;
  private final ValueConversion values;

  ColumnChanges(Connection connection) {
    this.connection = connection;
    this.attempt = new SavepointAttempt(connection);
    this.values = new ValueConversion(connection);
  }

  /**
   * The present table and the wanted one.
   *
   * @param replaced names of new columns that replace another column of the same name
   */
  private record Wanted(TableShape there, SchemaChange row, Set<String> replaced) {
    Optional<Column> kept(String name) {
      return there.find(name).filter(column -> !replaced.contains(name));
    }

    Optional<Column> retyped(NewColumn said) {
      return kept(said.name()).filter(old -> !old.type().equals(said.column().type()));
    }

    boolean isOtherKey() {
      return !there.key().stream().map(Column::name).toList().equals(row.key())
          || row.key().stream().anyMatch(replaced::contains);
    }

    boolean isInKey(NewColumn column) {
      return row.key().contains(column.name());
    }

    /**
     * Returns the columns that stay in the table but leave the key. They keep the key's NOT NULL,
     * which must be dropped.
     */
    List<Column> leaveKey() {
      return there.key().stream()
          .filter(column -> !row.key().contains(column.name()))
          .filter(column -> row.shape().find(column.name()).isPresent())
          .filter(column -> kept(column.name()).isPresent())
          .toList();
    }
  }

  /**
   * Changes the table to the columns and key that the row defines.
   *
   * @param replaced names of new columns that replace another column of the same name
   * @return a note on lost values or rows; empty if nothing was lost
   */
  Optional<ReplayNote> change(TableShape there, SchemaChange row, Set<String> replaced)
      throws SQLException {
    Wanted wanted = new Wanted(there, row, replaced);
    Optional<SQLException> failure = attempt.failure(() -> change(wanted, column -> false));
    if (failure.isEmpty()) {
      return Optional.empty();
    }
    List<NewColumn> lost = new ArrayList<>();
    for (NewColumn column : row.columns()) {
      Optional<Column> old = wanted.retyped(column);
      if (old.isPresent() && !values.canBecome(there.table(), old.get(), column.column())) {
        lost.add(column);
      }
    }
    if (lost.isEmpty() && !isOfValues(failure.get())) {
      throw failure.get(); // Every value can be converted: the failure has another cause.
    }
    // Without its key, and in a table without a key, later changes would not find a row.
    boolean areFound = row.shape().hasKey() && lost.stream().noneMatch(wanted::isInKey);
    if (areFound && !lost.isEmpty() && attempt.isDone(() -> change(wanted, lost::contains))) {
      return Optional.of(lost(there.table(), lost.stream().map(NewColumn::name).toList()));
    }
    empty(there.table());
    change(wanted, column -> true);
    return Optional.of(lost(there.table(), List.of()));
  }

  private static ReplayNote lost(LoggedTable table, List<String> columns) {
    String what =
        columns.isEmpty()
            ? "its rows are gone here"
            : "the values of %s are NULL here".formatted(String.join(", ", columns));
    return new ReplayNote(
        table.toString(),
        columns,
        ReplayNoteKind.INCOMPLETE,
        """
        columns of %s have changed in a way that the log does not say: %s, other than of rows that \
        were written afterwards; a new snapshot puts that right\
        """
            .formatted(table, what));
  }

  /**
   * Returns whether the cause is in the values: a text that is no value of the type, a missing
   * cast, or a violated key or domain. The input functions of some types, such as regclass, fail
   * with other states.
   */
  private static boolean isOfValues(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("22") || state.startsWith("23") || state.equals("42846");
  }

  private static final Sql KEY_NAME =
      Sql.of(
          """
          SELECT conname FROM pg_constraint
          WHERE conrelid = to_regclass(:table) AND contype = 'p'
          """);

  /** Changes the table. Existing values of {@code lost} columns become NULL. */
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
      for (Column column : wanted.leaveKey()) {
        steps.add(
            SqlTemplate.fill(
                "ALTER COLUMN {column} DROP NOT NULL", Map.of("column", column.quoted())));
      }
    }
    steps.addAll(columns(wanted, lost));
    if (!steps.isEmpty()) {
      alter(there.table(), String.join(", ", steps));
    }
    for (NewColumn column : wanted.row().columns()) {
      if (wanted.kept(column.name()).isEmpty()) {
        alter(
            there.table(),
            "ALTER COLUMN {column} DROP DEFAULT",
            Map.of("column", column.column().quoted()));
      }
    }
    if (wanted.isOtherKey()) {
      if (wanted.row().shape().hasKey()) {
        alter(there.table(), key("ADD ", wanted.row().shape()));
      }
      identify(wanted.row().shape());
    }
  }

  private List<String> columns(Wanted wanted, Predicate<NewColumn> lost) throws SQLException {
    List<String> steps = new ArrayList<>();
    TableShape said = wanted.row().shape();
    for (Column column : wanted.there().columns()) {
      if (said.find(column.name()).isEmpty() || wanted.kept(column.name()).isEmpty()) {
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
      } else if (wanted.retyped(each).isPresent()) {
        Column old = wanted.retyped(each).get();
        steps.add(retype(column, lost.test(each) ? "NULL" : values.become(old, column)));
      }
    }
    return steps;
  }

  private static String retype(Column column, String value) {
    return SqlTemplate.fill(
        "ALTER COLUMN {column} TYPE {type} USING {value}",
        Map.of("column", column.quoted(), "type", column.type(), "value", value));
  }

  /** Converts a column to text, by the output function of its type. */
  void toText(String table, Column column) throws SQLException {
    Column text = new Column(column.name(), "text", false);
    alter(table, retype(text, column.output(column.quoted())));
  }

  /**
   * Converts the columns {@code before} to the types of the columns {@code now}, in the same order.
   */
  void retype(String table, List<Column> before, List<Column> now) throws SQLException {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).equals(before.get(i))) {
        steps.add(retype(now.get(i), values.become(before.get(i), now.get(i))));
      }
    }
    if (!steps.isEmpty()) {
      alter(table, String.join(", ", steps));
    }
  }

  void empty(LoggedTable table) throws SQLException {
    run(SqlTemplate.fill("TRUNCATE ONLY {table}", Map.of("table", table.quoted())));
  }

  private static final String HAS_ROWS = "SELECT EXISTS (SELECT FROM ONLY {table})";

  boolean hasRows(LoggedTable table) throws SQLException {
    Map<String, String> pieces = Map.of("table", table.quoted());
    try (SqlStatement statement = Sql.of(HAS_ROWS, pieces).on(connection)) {
      return statement.truth();
    }
  }

  static String definition(Column column) {
    return column.quoted() + " " + column.type();
  }

  /** Returns SQL for the key, with a name unique to the table; empty if the table has no key. */
  static String key(String before, TableShape wanted) {
    return wanted.hasKey()
        ? SqlTemplate.fill(
            "{before}CONSTRAINT {name} PRIMARY KEY ({columns})",
            Map.of(
                "before",
                before,
                "name",
                Quoted.identifier("recorder_replay_" + wanted.table().digest()),
                "columns",
                TableShape.names(wanted.key())))
        : "";
  }

  /**
   * Sets the replica identity, so that a publication in the target, such as one for all tables,
   * does not prevent changes of rows.
   */
  void identify(TableShape table) throws SQLException {
    if (!table.hasKey()) {
      alter(table.table(), "REPLICA IDENTITY FULL");
    }
  }

  private static String drop(String what, String name) {
    return SqlTemplate.fill("DROP {what} {name}", Map.of("what", what, "name", name));
  }

  /**
   * Returns the default that gives existing rows their value without a rewrite of the table. It may
   * be NULL, since existing rows would otherwise get a domain's default. It is empty for a column
   * that is never NULL, which is added only to an empty table.
   */
  private String existing(NewColumn column) throws SQLException {
    String value = column.existing();
    if (value == null && !values.isValue(column.column(), null)) {
      return "";
    }
    return SqlTemplate.fill(
        " DEFAULT {literal}::{type}",
        Map.of("literal", ValueConversion.literal(value), "type", column.column().type()));
  }

  void alter(LoggedTable table, String step, Map<String, String> pieces) throws SQLException {
    alter(table, SqlTemplate.fill(step, pieces));
  }

  private void alter(LoggedTable table, String steps) throws SQLException {
    alter(table.quoted(), steps);
  }

  private void alter(String table, String steps) throws SQLException {
    run(
        SqlTemplate.fill(
            "ALTER TABLE ONLY {table} {steps}", Map.of("table", table, "steps", steps)));
  }

  private void run(String definition) throws SQLException {
    run(connection, definition);
  }

  /** Runs a definition with users' names, in which the driver must not look for its own escapes. */
  static void run(Connection connection, String definition) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(definition);
    }
  }
}
