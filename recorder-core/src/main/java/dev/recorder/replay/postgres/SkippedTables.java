package dev.recorder.replay.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayNote;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tables that the target cannot have, because of their definition, their name or the size of their
 * rows. They are set aside, and the replay of other tables continues. If an index or trigger that
 * an operator has added causes a failure, the replay stops, since the operator can drop it.
 */
final class SkippedTables {
  private final Connection connection;
  private final RecorderName recorder;
  private final SavepointAttempt attempt;
  private final List<ReplayNote> notes;

  SkippedTables(Connection connection, RecorderName recorder, List<ReplayNote> notes) {
    this.connection = connection;
    this.recorder = recorder;
    this.attempt = new SavepointAttempt(connection, SkippedTables::isOfTable);
    this.notes = notes;
  }

  /** SQLSTATEs for a key type without an order, a name that is taken, and an invalid definition. */
  private static final Set<String> OF_TABLE =
      Set.of("42704", "42710", "42P07", "42P16", "42701", "42611");

  private static boolean isOfTable(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("54") || OF_TABLE.contains(state); // 54: limits of the server
  }

  /**
   * Runs a step for a table that is not set aside. If the target cannot have the table, sets the
   * table aside. Its changes are ignored from then on.
   */
  void attempt(LoggedTable table, SavepointAttempt.Step step) throws SQLException {
    if (isAside(table)) {
      return;
    }
    int told = notes.size();
    Optional<SQLException> failure = attempt.failure(step);
    if (failure.isPresent()) {
      if (hasAdded(table)) {
        throw failure.get();
      }
      notes.subList(told, notes.size()).clear(); // The steps of these notes were rolled back, too.
      setAside(table, SqlStates.describe(failure.get()));
    }
  }

  private static final Sql IS_ASIDE =
      Sql.of(
          """
          SELECT EXISTS (
            SELECT FROM recorder_replay.tables
            WHERE name = :name AND recorder = :recorder AND aside IS NOT NULL)
          """);

  private boolean isAside(LoggedTable table) throws SQLException {
    try (SqlStatement statement = IS_ASIDE.on(connection)) {
      return statement.set("name", table.toString()).set("recorder", recorder.value()).truth();
    }
  }

  private static final Sql HAS_ADDED =
      Sql.of(
          """
          SELECT EXISTS (
              SELECT FROM pg_index WHERE indrelid = to_regclass(:table) AND NOT indisprimary)
            OR EXISTS (
              SELECT FROM pg_trigger WHERE tgrelid = to_regclass(:table) AND NOT tgisinternal)
            OR EXISTS (SELECT FROM pg_inherits WHERE inhparent = to_regclass(:table))
          """);

  /**
   * Returns whether the table has an added index, trigger or child table, which may refuse rows or
   * columns.
   */
  private boolean hasAdded(LoggedTable table) throws SQLException {
    try (SqlStatement statement = HAS_ADDED.on(connection)) {
      return statement.set("table", table.quoted()).truth();
    }
  }

  private static final Sql ASIDE =
      Sql.of(
          """
          INSERT INTO recorder_replay.tables AS t (name, recorder, columns, aside)
          VALUES (:name, :recorder, '{}', :why)
          ON CONFLICT (name) DO UPDATE SET aside = EXCLUDED.aside
          WHERE t.recorder = EXCLUDED.recorder
          """);

  private void setAside(LoggedTable table, String why) throws SQLException {
    try (SqlStatement statement = ASIDE.on(connection)) {
      statement
          .set("name", table.toString())
          .set("recorder", recorder.value())
          .set("why", why)
          .update();
    }
    notes.add(
        ReplayNote.incomplete(
            table.toString(),
            """
            %s is set aside: it stays as it is here, or is not made, and its changes are passed \
            over from now on, since this database cannot have it: %s; the other tables go on; to \
            have it, replay into a new database that can\
            """
                .formatted(table, why)));
  }
}
