package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.postgres.StagedChanges.Barrier;
import dev.recorder.replay.postgres.StagedChanges.SnapshotMark;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The keys of the rows that the log has put into a table since a snapshot of it began, kept in a
 * table of the target. When the snapshot ends, all other rows are deleted: they were lost without a
 * change in the log.
 *
 * <p>A change whose transaction the snapshot did not see at its beginning counts, even if the
 * change precedes that beginning in the log, since the snapshot need not contain the row. A change
 * that the snapshot saw does not count: its row is in the snapshot, or gone.
 *
 * <p>Keeps each key once. Keeps nothing for a table that is empty when the snapshot begins.
 */
final class SnapshotKeys {
  private final Connection connection;
  private final ColumnChanges columns;
  private final SavepointAttempt attempt;
  private final List<ReplayNote> notes;

  SnapshotKeys(Connection connection, List<ReplayNote> notes) {
    this.connection = connection;
    this.notes = notes;
    this.columns = new ColumnChanges(connection);
    this.attempt = new SavepointAttempt(connection);
  }

  private static final Sql SEEN =
      Sql.of("SELECT seen FROM recorder_replay.snapshots WHERE name = :name");

  /** Returns the table of keys, for SQL; empty if no snapshot is running. */
  private Optional<String> seen(LoggedTable table) throws SQLException {
    try (SqlStatement statement = SEEN.on(connection)) {
      return statement.set("name", table.toString()).first(row -> row.getString(1));
    }
  }

  /**
   * Adds the keys of the rows that this range puts, if a snapshot is running.
   *
   * @param shape the present table in the target
   */
  void add(TableShape shape, ChangeRange stretch) throws SQLException {
    Optional<String> seen = kept(shape);
    if (seen.isPresent()) {
      try (SqlStatement statement = adding(shape, seen.get(), "true").on(connection)) {
        stretch.bind(statement).update();
      }
    }
  }

  /** Returns the table of keys, if its types are those of the table's key. */
  private Optional<String> kept(TableShape shape) throws SQLException {
    Optional<String> seen = seen(shape.table());
    if (seen.isPresent()
        && !types(seen.get()).equals(shape.key().stream().map(Column::type).toList())) {
      giveUp(shape.table()); // The table's key was changed by hand.
      return Optional.empty();
    }
    return seen;
  }

  private static final Sql TYPES =
      Sql.of(
          """
          SELECT format_type(atttypid, atttypmod) FROM pg_attribute
          WHERE attrelid = to_regclass(:seen) AND attnum > 0 ORDER BY attnum
          """);

  private List<String> types(String seen) throws SQLException {
    try (SqlStatement statement = TYPES.on(connection)) {
      return statement.set("seen", seen).all(row -> row.getString(1));
    }
  }

  /** Drops the keys. Rows that the snapshot does not bring then remain. */
  private void giveUp(LoggedTable table) throws SQLException {
    forget(table);
    if (columns.hasRows(table)) {
      notes.add(
          ReplayNote.incomplete(
              table.toString(),
              """
              the key of %s changed while a snapshot was under way: rows that the snapshot does \
              not bring stay; a new snapshot removes them\
              """
                  .formatted(table)));
    }
  }

  private static final String ADD =
      """
      INSERT INTO {seen}
      SELECT {keys} FROM ({last}) AS c WHERE NOT c.gone AND {keys_are_there}
      ON CONFLICT DO NOTHING
      """;

  private static Sql adding(TableShape shape, String seen, String counts) {
    String changes =
        SqlTemplate.fill(
            "{between} AND {counts}", Map.of("between", ChangeRange.BETWEEN, "counts", counts));
    return Sql.of(
        ADD,
        Map.of(
            "seen", seen,
            "keys", shape.keys(),
            "last", LastChangeByKey.of(shape, changes),
            "keys_are_there", shape.keysAreThere()));
  }

  /**
   * Adapts the keys after a barrier has changed the table.
   *
   * @param before the table before the barrier; its key may have changed since
   * @param now the present table
   * @param earlier the changes of the barrier's window that come before the barrier
   */
  void pass(Optional<TableShape> before, TableShape now, Barrier barrier, EarlierChanges earlier)
      throws SQLException {
    if (!barrier.mark().what().equals("begin")) {
      if (before.isPresent()) {
        follow(before.get(), now);
      }
      return;
    }
    forget(now.table());
    if (now.hasKey() && columns.hasRows(now.table())) {
      begin(now, barrier, earlier);
    }
  }

  /**
   * Converts the kept keys in the same way as the table's key, unless the key has other columns
   * now.
   */
  private void follow(TableShape before, TableShape now) throws SQLException {
    Optional<String> seen = kept(before);
    if (seen.isPresent()) {
      boolean isDone =
          now.hasKeyOf(before)
              && attempt.isDone(
                  () -> columns.retype(seen.get(), before.keyColumns(), now.keyColumns()));
      if (!isDone) {
        giveUp(now.table());
      }
    }
  }

  /**
   * The changes of a window that take effect before a certain place in the window.
   *
   * @param window the window's first slot
   */
  record EarlierChanges(ChangeRange stretch, long window) {}

  private static String definitions(TableShape shape) {
    return shape.keyColumns().stream()
        .map(ColumnChanges::definition)
        .collect(Collectors.joining(", "));
  }

  private static final Sql NOTE =
      Sql.of(
          """
          INSERT INTO recorder_replay.snapshots (name, begun, seen) VALUES (:name, :begun, :seen)
          """);

  /**
   * SQL condition: the snapshot did not see the change's transaction. This holds for all
   * transactions in later slots.
   */
  private static final String UNSEEN =
      """
      c.slot >= :window AND (c.slot > :slot
        OR NOT pg_visible_in_snapshot(c.xid, :visible::pg_snapshot))
      """;

  private void begin(TableShape shape, Barrier barrier, EarlierChanges earlier)
      throws SQLException {
    String name = shape.table().toString();
    String seen = "recorder_replay." + Quoted.identifier("seen_" + shape.table().digest());
    ColumnChanges.run(
        connection,
        SqlTemplate.fill(
            "CREATE TABLE {seen} ({definitions}, PRIMARY KEY ({keys}))",
            Map.of("seen", seen, "definitions", definitions(shape), "keys", shape.keys())));
    try (SqlStatement statement = NOTE.on(connection)) {
      statement.set("name", name).set("begun", barrier.place().seq()).set("seen", seen).update();
    }
    try (SqlStatement statement = adding(shape, seen, UNSEEN).on(connection)) {
      earlier
          .stretch()
          .bind(statement)
          .set("window", earlier.window())
          .set("slot", barrier.place().slot())
          .set("visible", barrier.mark().visible())
          .update();
    }
  }

  private static final Sql IS_NOTED =
      Sql.of(
          """
          SELECT EXISTS (
            SELECT FROM recorder_replay.snapshots WHERE name = :name AND begun = :begun)
          """);

  private static final String SWEEP =
      """
      DELETE FROM ONLY {table} AS t WHERE NOT EXISTS (SELECT FROM {seen} AS c WHERE {same_key})
      """;

  /**
   * If {@code mark} ends the recorded snapshot, deletes the table's rows whose key is not kept
   * here. Must be called before the row that ends the snapshot changes the table: the row may
   * change the key's types, and kept keys need not be values of the new types.
   */
  void end(TableShape shape, SnapshotMark mark) throws SQLException {
    if (!mark.what().equals("end") || !isNoted(shape.table(), mark.begun())) {
      return;
    }
    Optional<String> seen = kept(shape);
    if (seen.isPresent()) {
      Map<String, String> pieces =
          Map.of(
              "table", shape.table().quoted(),
              "seen", seen.get(),
              "same_key", shape.sameKey());
      try (SqlStatement statement = Sql.of(SWEEP, pieces).on(connection)) {
        statement.update();
      }
      forget(shape.table());
    }
  }

  private boolean isNoted(LoggedTable table, long begun) throws SQLException {
    try (SqlStatement statement = IS_NOTED.on(connection)) {
      return statement.set("name", table.toString()).set("begun", begun).truth();
    }
  }

  /** Converts the kept keys, too, if the column that becomes text is in the key. */
  void keyBecomesText(TableShape shape, Column column) throws SQLException {
    int nth = shape.key().indexOf(column);
    Optional<String> seen = nth >= 0 ? seen(shape.table()) : Optional.empty();
    if (seen.isPresent() && isOfType(seen.get(), nth, column.type())) {
      columns.toText(seen.get(), shape.keyColumns().get(nth));
    }
  }

  private boolean isOfType(String seen, int nth, String type) throws SQLException {
    List<String> types = types(seen);
    return nth < types.size() && types.get(nth).equals(type);
  }

  private static final Sql FORGET =
      Sql.of("DELETE FROM recorder_replay.snapshots WHERE name = :name");

  private void forget(LoggedTable table) throws SQLException {
    Optional<String> seen = seen(table);
    if (seen.isPresent()) {
      ColumnChanges.run(
          connection, SqlTemplate.fill("DROP TABLE {seen}", Map.of("seen", seen.get())));
      try (SqlStatement statement = FORGET.on(connection)) {
        statement.set("name", table.toString()).update();
      }
    }
  }
}
