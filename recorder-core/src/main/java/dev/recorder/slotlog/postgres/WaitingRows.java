package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.SchemaNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that read the rows of a hand-off table between a position and a snapshot, in the
 * order (xid, id), by the index on it. What they cost depends on the rows that they return, not on
 * those that are recorded.
 *
 * <p>They are made of numbers and checked names only, since COPY takes no parameters.
 */
public final class WaitingRows {
  /**
   * Rows whose payload takes more in storage come without it, and are then fetched one by one. What
   * is stored compressed may be larger, by a factor of 255 at most.
   */
  static final int LARGE_PAYLOAD = 16 << 10;

  private static final int LARGE_KEY = 8 << 10;

  /**
   * Fails with 42883 where the column is json no more, in which case COPY would give us other bytes
   * than the value's text. The planner drops it: it costs nothing per row.
   */
  private static final String IS_JSON = " AND (true OR json_typeof(h.payload) IS NULL)";

  /** Nothing of this unpacks a value: the server looks at many rows that are not taken. */
  private static final String IS_SMALL =
      "pg_column_size(h.payload) <= %d AND (h.key IS NULL OR octet_length(h.key) <= %d)"
          .formatted(LARGE_PAYLOAD, LARGE_KEY);

  private final String table;
  private final String butExcluded;

  public WaitingRows(SchemaNames schemas, RecorderName recorder, int lockId) {
    this.table = schemas.handoffTable(recorder);
    // Rows of objects that a lost history left behind; see IdentityAdoption.
    this.butExcluded =
        " AND NOT EXISTS (SELECT FROM "
            + schemas.table("exclusions")
            + " e WHERE e.lock_id = "
            + lockId
            + " AND e.xid = h.xid AND e.id = h.id)";
  }

  String table() {
    return table;
  }

  /**
   * At most {@code limit} rows of one of {@link HandoffRanges}, each as id, xid, time, key and
   * payload; key and payload are null in a row that is large.
   *
   * @param exclusions whether some rows are excluded; if none are, the statement does not look
   */
  String select(String range, Snapshot to, boolean exclusions, int limit) {
    return "SELECT w.id, w.xid, w.time, CASE WHEN w.small THEN w.key END,"
        + " CASE WHEN w.small THEN w.payload END FROM (SELECT h.id, h.xid, h.time, h.key, h.payload, "
        + IS_SMALL
        + " AS small"
        + from(range, to, exclusions)
        + IS_JSON
        + " ORDER BY h.xid, h.id LIMIT "
        + limit
        + ") w";
  }

  /** One row by its place, whatever its size. */
  String one(long xid, long id) {
    return "SELECT h.id, h.xid, h.time, h.key, h.payload" + at(xid, id);
  }

  /** The size of that row's key and payload, in bytes. */
  String sizeOf(long xid, long id) {
    return "SELECT coalesce(octet_length(h.key), 0)::bigint"
        + " + CASE WHEN pg_column_compression(h.payload) IS NULL THEN pg_column_size(h.payload)"
        + " ELSE octet_length(h.payload::text) END"
        + at(xid, id);
  }

  /** How many rows there are, counted up to {@code limit}. */
  public int count(Connection connection, Position from, Snapshot to, int limit)
      throws SQLException {
    List<String> ranges = HandoffRanges.between(from, to);
    if (ranges.isEmpty()) {
      return 0;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(counting(ranges, to, limit))) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Counts the rows of some of {@link HandoffRanges} up to {@code limit}. */
  String counting(List<String> ranges, Snapshot to, int limit) {
    String rows =
        ranges.stream()
            .map(range -> "(SELECT" + from(range, to, true) + " LIMIT " + limit + ")")
            .collect(Collectors.joining(" UNION ALL "));
    return "SELECT count(*) FROM (SELECT FROM (" + rows + ") r LIMIT " + limit + ") counted";
  }

  private String from(String range, Snapshot to, boolean exclusions) {
    return " FROM "
        + table
        + " h WHERE "
        + range
        + " AND pg_visible_in_snapshot(h.xid, '"
        + to
        + "'::pg_snapshot)"
        + (exclusions ? butExcluded : "");
  }

  private String at(long xid, long id) {
    return " FROM " + table + " h WHERE h.xid = '" + xid + "'::xid8 AND h.id = " + id + IS_JSON;
  }
}
