package dev.recorder.replay.postgres;

import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayNote.ReplayNoteKind;
import dev.recorder.replay.postgres.SchemaChange.NewColumn;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Columns that are {@code text} in the target although the log has another type: the target has no
 * such type, or cannot read a value in it. The rest of the replay continues. Each is reported once,
 * when it becomes text, with the way back to its type.
 */
final class TextFallback {
  private static final String TEXT = "text";

  private final Connection connection;
  private final SavepointAttempt attempt;
  private final ValueConversion values;
  private final ColumnChanges changes;
  private final SnapshotKeys seen;
  private final List<ReplayNote> notes;

  TextFallback(Connection connection, SnapshotKeys seen, List<ReplayNote> notes) {
    this.connection = connection;
    this.attempt = new SavepointAttempt(connection);
    this.values = new ValueConversion(connection);
    this.changes = new ColumnChanges(connection);
    this.seen = seen;
    this.notes = notes;
  }

  /** Returns the row with type text for columns whose value in existing rows cannot be read. */
  SchemaChange readable(SchemaChange row) throws SQLException {
    List<NewColumn> columns = new ArrayList<>();
    for (NewColumn column : row.columns()) {
      String existing = column.existing();
      boolean isValue = existing == null || values.isValue(column.column(), existing);
      columns.add(isValue ? column : column.asText("it cannot read '" + existing + "'"));
    }
    return row.with(columns);
  }

  void make(TableShape shape, Column column, String why) throws SQLException {
    changes.toText(shape.table().quoted(), column);
    seen.keyBecomesText(shape, column);
    tell(shape.table(), column, column.type(), why);
  }

  private static final String PROBE =
      """
      SELECT count({value}) FROM pg_temp.recorder_changes c, json_to_record(c.{image}) AS v ({read})
      WHERE {between}
      """;

  /**
   * Converts columns to text if changes of this range have unreadable values for them. If every
   * value can be read but the statement cannot be planned, converts the columns with user-defined
   * types.
   *
   * @param failed why the changes could not be applied
   * @return whether a column was converted
   */
  boolean makeUnreadable(TableShape shape, ChangeRange stretch, SQLException failed)
      throws SQLException {
    Map<Column, String> unreadable = new LinkedHashMap<>();
    for (Column column : shape.columns()) {
      if (!column.type().equals(TEXT)) {
        Optional<SQLException> failure = failure(shape, column, stretch);
        failure.ifPresent(e -> unreadable.put(column, SqlStates.describe(e)));
      }
    }
    if (unreadable.isEmpty() && failed.getSQLState().startsWith("42")) {
      String why = "its values cannot be compared: " + SqlStates.describe(failed);
      shape.columns().stream()
          .filter(Column::isOfUsers)
          .forEach(column -> unreadable.put(column, why));
    }
    for (Map.Entry<Column, String> each : unreadable.entrySet()) {
      make(shape, each.getKey(), each.getValue());
    }
    return !unreadable.isEmpty();
  }

  private Optional<SQLException> failure(TableShape shape, Column column, ChangeRange stretch)
      throws SQLException {
    Optional<SQLException> failure = failure(column, "after", stretch);
    if (failure.isEmpty() && !shape.hasKey()) {
      return failure(column, "before", stretch);
    }
    return failure.isEmpty() && shape.key().contains(column)
        ? failure(column, "key", stretch)
        : failure;
  }

  private Optional<SQLException> failure(Column column, String image, ChangeRange stretch)
      throws SQLException {
    List<Column> one = List.of(column);
    Map<String, String> pieces =
        Map.of(
            "value",
            TableShape.typed(one, "v"),
            "image",
            image,
            "read",
            TableShape.read(one),
            "between",
            ChangeRange.BETWEEN);
    return attempt.failure(
        () -> {
          try (SqlStatement statement = Sql.of(PROBE, pieces).on(connection)) {
            stretch.bind(statement).number();
          }
        });
  }

  /**
   * Returns the row with type text for two kinds of columns: columns that are text already and have
   * values that the log's type cannot read; and added columns of a type that is never NULL, if
   * existing rows have NULL there.
   *
   * @param noted the columns as the log defined them before
   * @param replaced names of new columns that replace another column of the same name
   */
  SchemaChange kept(TableShape there, SchemaChange row, List<NewColumn> noted, Set<String> replaced)
      throws SQLException {
    List<NewColumn> columns = new ArrayList<>();
    for (NewColumn column : row.columns()) {
      Optional<Column> was = there.find(column.name()).filter(c -> c.type().equals(TEXT));
      boolean isAdded = there.find(column.name()).isEmpty() || replaced.contains(column.name());
      boolean isTextHere =
          was.isPresent()
              && !isAdded
              && noted.stream().anyMatch(n -> isSame(n, column) && !n.said().equals(TEXT));
      boolean stays =
          isTextHere && !values.canBecome(there.table(), was.orElseThrow(), column.column());
      if (stays) {
        columns.add(column.asText(""));
      } else {
        columns.add(isAdded && isNeverNull(there.table(), column) ? column.asText(NEVER) : column);
      }
    }
    return row.with(columns);
  }

  private static final String NEVER = "it is never NULL, as it is in rows that were there before";

  private boolean isNeverNull(LoggedTable table, NewColumn column) throws SQLException {
    return column.existing() == null
        && !values.isValue(column.column(), null)
        && changes.hasRows(table);
  }

  private static boolean isSame(NewColumn noted, NewColumn column) {
    return column.number() > 0
        ? noted.number() == column.number()
        : noted.name().equals(column.name());
  }

  /**
   * Reports a column that is text although the log has another type, unless it was text before.
   *
   * @param was the column before the change; null if it did not exist
   */
  void tellIfNew(LoggedTable table, NewColumn column, @Nullable Column was) {
    boolean isText = column.column().type().equals(TEXT) && !column.said().equals(TEXT);
    String why = column.obstacle();
    if (isText && why != null && (was == null || !was.type().equals(TEXT))) {
      tell(table, column.column(), column.said(), why);
    }
  }

  private void tell(LoggedTable table, Column column, String type, String why) {
    notes.add(
        new ReplayNote(
            table.toString(),
            List.of(column.name()),
            ReplayNoteKind.AS_TEXT,
            """
            column %s of %s is text here and keeps the texts of its values: %s; to have %s again, \
            let this database read such values (CREATE TYPE, ALTER TYPE … ADD VALUE, or what they \
            name), and change nothing by hand: the next 'schema' row of the table gives the type \
            back, as of a new snapshot of it; or replay into a new database\
            """
                .formatted(column.name(), table, why, type)));
  }
}
