package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds the rows of a hand-off table that are, byte for byte, lines of an object.
 *
 * <p>A row that lost its transaction's number in a rebase ({@link #WAITING}) is compared without
 * it: an object of the server that it came from has it under the old one.
 */
public final class RowIdentity {
  /** The number of rows that no object holds yet. */
  public static final long WAITING = 3;

  /** Most lines compared at once. */
  public static final int CHUNK = 1_000;

  private final String rowsSql;

  public RowIdentity(SchemaNames schemas, RecorderName recorder) {
    this.rowsSql =
        "SELECT "
            + HandoffColumns.ALL
            + " FROM unnest(?::xid8[], ?::bigint[]) AS named(xid, id)"
            + " JOIN "
            + schemas.handoffTable(recorder)
            + " h ON h.xid IN (named.xid, '"
            + WAITING
            + "') AND h.id = named.id";
  }

  /** Rows of this database that are among {@code lines}, of which there are at most a chunk. */
  public List<RowKey> matching(Connection connection, List<RecordedLine> lines)
      throws SQLException {
    Map<Long, List<RecordedLine>> byId =
        lines.stream()
            .collect(Collectors.groupingBy(RecordedLine::id, HashMap::new, Collectors.toList()));
    List<RowKey> matching = new ArrayList<>();
    LineEncoder encoder = new LineEncoder();
    try (PreparedStatement statement = connection.prepareStatement(rowsSql)) {
      bind(statement, 1, lines.stream().map(l -> new RowKey(l.xid(), l.id())).toList());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          HandoffRow row = HandoffColumns.row(rows);
          if (byId.getOrDefault(row.id(), List.of()).stream().anyMatch(l -> is(l, row, encoder))) {
            matching.add(new RowKey(row.xid(), row.id()));
          }
        }
      }
    }
    return matching;
  }

  private static boolean is(RecordedLine line, HandoffRow row, LineEncoder encoder) {
    boolean numberLost = row.xid() == WAITING;
    return line.is(encoder.encode(numberLost ? withXid(row, line.xid()) : row));
  }

  private static HandoffRow withXid(HandoffRow row, long xid) {
    return new HandoffRow(row.id(), xid, row.timeMicros(), row.key(), row.payload());
  }

  /** Binds {@code unnest(?::xid8[], ?::bigint[])}. */
  public static void bind(PreparedStatement statement, int first, List<RowKey> rows)
      throws SQLException {
    statement.setString(
        first, SqlArrays.of(rows.stream().map(r -> Long.toUnsignedString(r.xid())).toList()));
    statement.setString(
        first + 1, SqlArrays.of(rows.stream().map(r -> Long.toString(r.id())).toList()));
  }
}
