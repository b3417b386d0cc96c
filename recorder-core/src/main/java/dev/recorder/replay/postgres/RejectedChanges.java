package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.postgres.TableShape.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Changes that fit no table. They are skipped, and their number is reported. */
final class RejectedChanges {
  private final Connection connection;
  private final List<ReplayNote> notes;
  private final Map<RejectionReason, Long> changes = new EnumMap<>(RejectionReason.class);

  RejectedChanges(Connection connection, List<ReplayNote> notes) {
    this.connection = connection;
    this.notes = notes;
  }

  /** The reason why changes fit no table. */
  enum RejectionReason {
    NAME("no table that is captured can have that name, so something else has written them"),
    COLUMNS(
        """
        no 'schema' row of the table comes before them, so that the log does not say what columns \
        it has; if the replay began in the middle of the log (--from), begin where the capture or \
        a snapshot of it began, in a database without a position; else a new snapshot of the \
        table has its rows\
        """),
    KEY(
        """
        they have no value for a column of the table's key, as those of a transaction whose \
        snapshot is older than that key; a new snapshot of the table has its rows\
        """),
    ROW(
        """
        the table has no key, and no row here equals the one that they change or remove: it was \
        there before the capture or before --from, or it has another text now, as a regclass whose \
        object was renamed; a new snapshot of the table has its rows\
        """),
    FORM(
        """
        they do not have the form of captured changes, so something else has written them; a new \
        snapshot of the table has its rows\
        """);

    private final String text;

    RejectionReason(String text) {
      this.text = text;
    }
  }

  /** Begins the changes of a table. */
  void begin() {
    changes.clear();
  }

  void add(RejectionReason why, long number) {
    if (number > 0) {
      changes.merge(why, number, Long::sum);
    }
  }

  /** Reports the table's rejected changes. Must be called after the table's changes. */
  void tell(String table) {
    changes.forEach(
        (why, number) ->
            notes.add(
                ReplayNote.incomplete(
                    table,
                    "%d changes of %s are passed over: %s".formatted(number, table, why.text))));
    changes.clear();
  }

  private static final String REMOVE =
      """
      DELETE FROM pg_temp.recorder_changes c WHERE {between} AND NOT coalesce({fits}, false)
      """;

  /** Two rows with the same key in one statement. */
  private static final String SAME_ROW_TWICE = "21000";

  /**
   * Removes the rows that do not have the form of a change from a range that could not be applied.
   *
   * @return whether rows were removed
   */
  boolean remove(TableShape shape, ChangeRange stretch, SQLException failed) throws SQLException {
    boolean oneKey = SAME_ROW_TWICE.equals(failed.getSQLState());
    String fits = shape.hasKey() ? fitsKeyed(shape, oneKey) : FITS_KEYLESS;
    Map<String, String> pieces = Map.of("between", ChangeRange.BETWEEN, "fits", fits);
    try (SqlStatement statement = Sql.of(REMOVE, pieces).on(connection)) {
      int removed = stretch.bind(statement).update();
      add(RejectionReason.FORM, removed);
      return removed > 0;
    }
  }

  private static final String FITS_KEYLESS =
      """
      ((c.op = 'delete' OR json_typeof(c.after) = 'object')
        AND (c.op IN ('insert', 'snapshot') OR json_typeof(c.before) = 'object'))""";

  /**
   * Returns the SQL condition that a change has the right form. Two texts of a key may differ
   * although the type considers them equal. So texts of the key are compared only after a statement
   * that put the same row twice.
   */
  private static String fitsKeyed(TableShape shape, boolean oneKey) {
    String keys =
        shape.key().stream()
            .map(column -> fits(column, oneKey))
            .collect(Collectors.joining(" AND "));
    return SqlTemplate.fill(
        "(json_typeof(c.key) = 'object' AND (c.op = 'delete'"
            + " OR json_typeof(c.after) = 'object' AND {keys}))",
        Map.of("keys", keys));
  }

  private static String fits(Column column, boolean oneKey) {
    return SqlTemplate.fill(
        oneKey ? "c.after ->> {name} = c.key ->> {name}" : "c.after ->> {name} IS NOT NULL",
        Map.of("name", Quoted.literal(column.name())));
  }
}
