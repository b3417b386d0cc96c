package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.postgres.SchemaChange.NewColumn;
import dev.recorder.replay.postgres.TableShape.Column;
import dev.recorder.replay.postgres.TableShape.IndexColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates and changes tables as a log's {@code schema} rows define them: only columns and key.
 * Changes only tables that a replay has created.
 */
final class TableDefinitions {
  private final Connection connection;
  private final ReplayMetadata books;
  private final ColumnChanges changes;
  private final SavepointAttempt attempt;
  private final TextFallback texts;
  private final List<ReplayNote> notes;

  TableDefinitions(
      Connection connection, ReplayMetadata books, TextFallback texts, List<ReplayNote> notes) {
    this.connection = connection;
    this.books = books;
    this.changes = new ColumnChanges(connection);
    this.attempt = new SavepointAttempt(connection);
    this.texts = texts;
    this.notes = notes;
  }

  /**
   * The operator by which the index considers values equal; null if it would call a function of
   * another role.
   */
  private static final String EQUALITY =
      """
      (SELECT format('OPERATOR(%s.%s)', o.oprnamespace::regnamespace, o.oprname)
              FROM pg_opclass f
              JOIN pg_amop m ON m.amopfamily = f.opcfamily AND m.amopstrategy = 3
                AND m.amoplefttype = f.opcintype AND m.amoprighttype = f.opcintype
              JOIN pg_operator o ON o.oid = m.amopopr
              WHERE f.oid = x.indclass[array_position(k.conkey, a.attnum) - 1]
                AND NOT EXISTS (
                  SELECT FROM pg_operator y JOIN pg_proc p ON p.oid = y.oprcode
                  WHERE y.oid IN (o.oid, o.oprcom)
                    AND NOT pg_has_role(p.proowner, current_user, 'USAGE')))""";

  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT a.attname, format_type(a.atttypid, a.atttypmod) AS type,
            coalesce(array_position(k.conkey, a.attnum), 0) AS in_key, a.attnum,
            coalesce({equality}, '=') AS equality,
            CASE WHEN t.typtype = 'd' THEN {is_json}
              ELSE t.oid IN ('json'::regtype, 'jsonb'::regtype) END AS is_json,
            CASE WHEN t.typnamespace <> 'pg_catalog'::regnamespace THEN {obstacle} END
              AS obstacle,
            pg_has_role(c.relowner, current_user, 'USAGE')
              AND pg_has_role(current_user, c.relowner, 'USAGE')
              AND EXISTS (SELECT FROM recorder_replay.tables
                WHERE name = :name AND relation = c.oid) AS is_ours
          FROM pg_attribute a
            JOIN pg_class c ON c.oid = a.attrelid
            JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
            LEFT JOIN pg_index x ON x.indexrelid = k.conindid
          WHERE a.attrelid = to_regclass(:table) AND a.attnum > 0 AND NOT a.attisdropped
          ORDER BY a.attnum
          """,
          Map.of(
              "is_json",
              TargetTypes.IS_JSON,
              "equality",
              EQUALITY,
              "obstacle",
              TargetTypes.OBSTACLE));

  /** A column of the table, and why it must not be used. */
  private record ExistingColumn(
      Column column, int inKey, IndexColumn index, @Nullable String obstacle, boolean ours) {
    static ExistingColumn of(ResultSet row) throws SQLException {
      return new ExistingColumn(
          new Column(row.getString("attname"), row.getString("type"), row.getBoolean("is_json")),
          row.getInt("in_key"),
          new IndexColumn(row.getInt("attnum"), row.getString("equality")),
          row.getString("obstacle"),
          row.getBoolean("is_ours"));
    }
  }

  /**
   * Returns the present table; empty if it does not exist. Converts a column whose type has become
   * unsafe to text.
   */
  Optional<TableShape> shape(LoggedTable table) throws SQLException {
    List<ExistingColumn> there = columns(table);
    if (there.isEmpty()) {
      return Optional.empty();
    } else if (!books.isOurs(table) || !there.get(0).ours()) {
      throw books.others(table);
    }
    ForeignKeysOfOthers.refuse(connection, table);
    TableShape shape = shape(table, there);
    boolean isSafe = true;
    for (ExistingColumn each : there) {
      if (each.obstacle() != null) {
        isSafe = false;
        texts.make(shape, each.column(), each.obstacle());
      }
    }
    return Optional.of(isSafe ? shape : shape(table, columns(table)));
  }

  /**
   * Returns the same as {@link #shape}, but fails if a table that this log has defined is missing.
   * Empty if the log has not defined the table.
   */
  Optional<TableShape> said(LoggedTable table) throws SQLException {
    return books.isOurs(table)
        ? Optional.of(shape(table).orElseThrow(() -> books.gone(table)))
        : Optional.empty();
  }

  /**
   * Locks the table until the transaction ends, if it is this log's. Must be called before the
   * table is read: a statement that waits for a session that replaces the table would continue with
   * the replacement. Fails if the columns were changed since the last replay.
   */
  void keep(LoggedTable table) throws SQLException {
    if (books.isOurs(table)) {
      lock(table, "ROW EXCLUSIVE");
      LeftColumns.check(connection, table);
    }
  }

  /** Records the table's columns for the next {@link #keep}. */
  void leave(LoggedTable table) throws SQLException {
    if (books.isOurs(table)) {
      LeftColumns.note(connection, table);
    }
  }

  private void lock(LoggedTable table, String mode) throws SQLException {
    String statement =
        SqlTemplate.fill(
            "LOCK TABLE ONLY {table} IN {mode} MODE",
            Map.of("table", table.quoted(), "mode", mode));
    Optional<SQLException> failure = attempt.failure(() -> run(statement));
    // If the table was replaced, its owner may have granted no rights.
    if (said(table).isPresent() && failure.isPresent()) {
      throw failure.get();
    }
  }

  private void run(String definition) throws SQLException {
    ColumnChanges.run(connection, definition);
  }

  private List<ExistingColumn> columns(LoggedTable table) throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement
          .set("table", table.quoted())
          .set("name", table.toString())
          .all(ExistingColumn::of);
    }
  }

  private static TableShape shape(LoggedTable table, List<ExistingColumn> there) {
    List<ExistingColumn> key =
        there.stream()
            .filter(each -> each.inKey() > 0)
            .sorted(Comparator.comparing(ExistingColumn::inKey))
            .toList();
    return new TableShape(
        table,
        there.stream().map(ExistingColumn::column).toList(),
        key.stream().map(ExistingColumn::column).toList(),
        key.stream().map(ExistingColumn::index).toList());
  }

  /** Changes the table to the columns and key that the payload of a {@code schema} row defines. */
  void follow(LoggedTable table, String payload) throws SQLException {
    SchemaChange row = texts.readable(read(table, payload));
    if (shape(table).isEmpty()) {
      create(row);
      row.columns().forEach(column -> texts.tellIfNew(row.table(), column, null));
      return;
    }
    List<NewColumn> noted = SchemaChange.columns(connection, books.columns(table, payload));
    rename(row, noted);
    TableShape there = shape(table).orElseThrow();
    Set<String> replaced = replaced(row, noted);
    SchemaChange kept = texts.kept(there, row, noted, replaced);
    changes.change(there, kept, replaced).ifPresent(notes::add);
    for (NewColumn column : kept.columns()) {
      Column was = there.find(column.name()).filter(c -> !replaced.contains(c.name())).orElse(null);
      texts.tellIfNew(table, column, was);
    }
    books.noteColumns(table, payload);
  }

  /**
   * Reads the payload. Locks the table first if the payload changes the table. Types are looked up
   * after that, since they may change while the lock is awaited.
   */
  private SchemaChange read(LoggedTable table, String payload) throws SQLException {
    SchemaChange row = SchemaChange.read(connection, table, payload);
    Optional<TableShape> there = shape(table);
    if (there.isEmpty() || (there.get().isAs(row.shape()) && hasSameColumns(row))) {
      return row;
    }
    lock(table, "ACCESS EXCLUSIVE");
    return SchemaChange.read(connection, table, payload);
  }

  private boolean hasSameColumns(SchemaChange row) throws SQLException {
    String noted = books.columns(row.table(), row.payload());
    return numbered(SchemaChange.columns(connection, noted)).equals(numbered(row.columns()));
  }

  private static List<String> numbered(List<NewColumn> columns) {
    return columns.stream().map(column -> column.number() + " " + column.name()).toList();
  }

  /**
   * Returns the types in the log, by column name, of columns that are text here although the log
   * has another type.
   */
  Map<String, String> textsOf(TableShape shape) throws SQLException {
    return SchemaChange.columns(connection, books.columns(shape.table())).stream()
        .filter(column -> !column.said().equals("text"))
        .filter(
            column -> shape.find(column.name()).filter(c -> c.type().equals("text")).isPresent())
        .collect(Collectors.toMap(NewColumn::name, NewColumn::said, (a, b) -> a));
  }

  void empty(LoggedTable table) throws SQLException {
    lock(table, "ACCESS EXCLUSIVE");
    changes.empty(table);
  }

  /**
   * Returns the names of columns that replace another column of the same name: their numbers
   * differ.
   */
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
      throw books.gone(table);
    }
    try (SqlStatement statement = NO_SCHEMA.on(connection)) {
      if (statement.set("schema", table.schema()).truth()) {
        String schema = Quoted.identifier(table.schema());
        run(SqlTemplate.fill("CREATE SCHEMA {schema}", Map.of("schema", schema)));
      }
    }
    String columns =
        wanted.columns().stream().map(ColumnChanges::definition).collect(Collectors.joining(", "));
    run(
        SqlTemplate.fill(
            "CREATE TABLE {table} ({columns}{key})",
            Map.of(
                "table",
                table.quoted(),
                "columns",
                columns,
                "key",
                ColumnChanges.key(", ", wanted))));
    books.own(table, row.payload());
    changes.identify(wanted);
  }

  /**
   * Renames columns by way of intermediate names, since two columns may have swapped their names.
   */
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
    Set<String> names =
        Stream.concat(
                shape(row.table()).orElseThrow().columns().stream().map(Column::name),
                row.columns().stream().map(NewColumn::name))
            .collect(Collectors.toSet());
    for (NewColumn column : renamed) {
      rename(row.table(), String.valueOf(before.get(column.number())), passing(column, names));
    }
    for (NewColumn column : renamed) {
      Optional<Column> inTheWay = shape(row.table()).orElseThrow().find(column.name());
      if (inTheWay.isPresent()) { // The source dropped that column.
        changes.alter(
            row.table(), "DROP COLUMN {column}", Map.of("column", inTheWay.get().quoted()));
      }
      rename(row.table(), passing(column, names), column.name());
    }
  }

  private static String passing(NewColumn column, Set<String> names) {
    String passing = "recorder_replay_" + column.number();
    while (names.contains(passing)) {
      passing += "_";
    }
    return passing;
  }

  private void rename(LoggedTable table, String from, String to) throws SQLException {
    changes.alter(
        table,
        "RENAME COLUMN {from} TO {to}",
        Map.of("from", Quoted.identifier(from), "to", Quoted.identifier(to)));
  }
}
