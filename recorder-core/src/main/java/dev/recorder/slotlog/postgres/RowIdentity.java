package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the rows of a hand-off table that are, byte for byte, lines of an object.
 *
 * <p>A rebase, in this database or in another one of this log, replaces a row's transaction number
 * by {@link #WAITING}. So an object may have the number that a row has lost. And a row may still
 * have a number that an object written after a rebase lacks. In both cases line and row are
 * compared without the number. No two rows have the same id and time: an id is assigned once, and
 * the server sets the time.
 */
public final class RowIdentity {
  /** The transaction number that a rebase gives to rows that are not recorded yet. */
  public static final long WAITING = 3;

  /** The most lines that are compared at once. */
  public static final int CHUNK = 1_000;

  /** The source {@code named} of the rows that {@link #bind} binds. */
  public static final String NAMED = "unnest(:xids::xid8[], :ids::bigint[]) AS named(xid, id)";

  /** The columns of a hand-off table {@code h} that {@link #row} reads. */
  static final String COLUMNS =
      "h.id, h.xid::text, (extract(epoch FROM h.time) * 1000000)::bigint, h.key, h.payload";

  /** Whether a row's time can be recorded, up to {@link BinaryRows#LATEST}. */
  private static final String CAN_BE_NAMED =
      "(isfinite(h.time) AND h.time < '294247-01-10 04:00:54.775807+00')";

  /**
   * Looks up the line's number and {@link #WAITING} in two queries. With a condition on a list of
   * both, only the id would be an index condition, and each line would read the whole index.
   * Visible for a test of its cost.
   */
  static final String ROWS =
      """
      SELECT {columns}
      FROM {named}
      CROSS JOIN LATERAL (
        SELECT x.id, x.xid, x.time, x.key, x.payload FROM {table} x
        WHERE x.xid = named.xid AND x.id = named.id
        UNION ALL
        SELECT x.id, x.xid, x.time, x.key, x.payload FROM {table} x
        WHERE x.xid = {waiting} AND named.xid <> {waiting} AND x.id = named.id) h
      WHERE {can_be_named}
      """;

  /**
   * Finds rows that kept their number by id alone. No index begins with the id, so one scan serves
   * all lines. The sum prevents an index search for each id, which would read the whole index each
   * time. Visible for a test of its cost.
   */
  static final String NUMBERED_ROWS =
      """
      SELECT {columns}
      FROM unnest(:ids::bigint[]) AS named(id) JOIN {table} h ON h.id + 0 = named.id
      WHERE h.xid > {waiting} AND {can_be_named}
      """;

  private final Sql rows;
  private final Sql numberedRows;

  public RowIdentity(SchemaNames schemas, RecorderName recorder) {
    this.rows = sql(ROWS, schemas, recorder);
    this.numberedRows = sql(NUMBERED_ROWS, schemas, recorder);
  }

  static Sql sql(String text, SchemaNames schemas, RecorderName recorder) {
    return Sql.of(
        text,
        Map.of(
            "columns",
            COLUMNS,
            "can_be_named",
            CAN_BE_NAMED,
            "named",
            NAMED,
            "table",
            schemas.handoffTable(recorder),
            "waiting",
            Quoted.literal(Long.toString(WAITING))));
  }

  /**
   * Returns the rows of this database that are among {@code lines}, at most {@link #CHUNK} lines.
   */
  public List<RowKey> matching(Connection connection, List<RecordedLine> lines)
      throws SQLException {
    RowsOfLines matching = new RowsOfLines(lines);
    List<RowKey> named = lines.stream().map(l -> new RowKey(l.xid(), l.id())).toList();
    try (SqlStatement statement = rows.on(connection)) {
      matching.take(bind(statement, named));
    }
    List<Long> without = matching.linesWithoutNumberAndRow();
    if (!without.isEmpty()) {
      try (SqlStatement statement = numberedRows.on(connection)) {
        matching.take(statement.set("ids", SqlArrays.of(without)));
      }
    }
    return matching.found;
  }

  /** Collects the rows that are among some lines. */
  private static final class RowsOfLines {
    private final Map<Long, List<RecordedLine>> byId;
    private final LineEncoder encoder = new LineEncoder();
    private final List<RowKey> found = new ArrayList<>();
    private final Set<Long> foundIds = new HashSet<>();

    RowsOfLines(List<RecordedLine> lines) {
      this.byId =
          lines.stream()
              .collect(Collectors.groupingBy(RecordedLine::id, HashMap::new, Collectors.toList()));
    }

    void take(SqlStatement statement) throws SQLException {
      try (ResultSet answer = statement.query()) {
        while (answer.next()) {
          HandoffRow row = row(answer);
          if (byId.getOrDefault(row.id(), List.of()).stream().anyMatch(line -> is(line, row))) {
            found.add(new RowKey(row.xid(), row.id()));
            foundIds.add(row.id());
          }
        }
      }
    }

    /**
     * Returns the ids of lines written after a rebase without a row so far. Their rows may never
     * have been renumbered in this database.
     */
    List<Long> linesWithoutNumberAndRow() {
      return byId.values().stream()
          .flatMap(List::stream)
          .filter(line -> line.xid() == WAITING)
          .map(RecordedLine::id)
          .filter(id -> !foundIds.contains(id))
          .toList();
    }

    private boolean is(RecordedLine line, HandoffRow row) {
      boolean numberLost = row.xid() == WAITING || line.xid() == WAITING;
      return line.is(encoder.encode(numberLost ? withXid(row, line.xid()) : row));
    }
  }

  /** Reads the row at the cursor of {@code rows}. */
  static HandoffRow row(ResultSet rows) throws SQLException {
    return new HandoffRow(
        rows.getLong(1),
        Long.parseUnsignedLong(rows.getString(2)),
        rows.getLong(3),
        rows.getString(4),
        rows.getString(5));
  }

  private static HandoffRow withXid(HandoffRow row, long xid) {
    return new HandoffRow(row.id(), xid, row.timeMicros(), row.key(), row.payload());
  }

  /** Binds {@link #NAMED}. */
  public static SqlStatement bind(SqlStatement statement, List<RowKey> rows) throws SQLException {
    return statement
        .set("xids", SqlArrays.of(rows.stream().map(r -> Long.toUnsignedString(r.xid())).toList()))
        .set("ids", SqlArrays.of(rows.stream().map(RowKey::id).toList()));
  }
}
