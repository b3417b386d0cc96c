package dev.recorder.postgres;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The rows between a position and a snapshot, in the order (xid, id), by the index on it.
 *
 * <p>Two ranges instead of a test of every row: transactions that were in progress at the earlier
 * snapshot, by their list, and those that began after it, by range. The first all precede the
 * second.
 */
public final class HandoffQuery {
  static final String COLUMNS =
      "h.id, h.xid::text, (extract(epoch FROM h.time) * 1000000)::bigint, h.key, h.payload";
  private static final int FETCH = 2_000;

  private final int lockId;
  private final String all;
  private final String allButExcluded;
  private final String countSql;

  public HandoffQuery(SchemaNames schemas, RecorderName recorder, int lockId) {
    this.lockId = lockId;
    String table = schemas.handoffTable(recorder);
    String butExcluded =
        // Rows of objects that a lost history left behind; see IdentityAdoption.
        " AND NOT EXISTS (SELECT FROM "
            + schemas.table("exclusions")
            + " e WHERE e.lock_id = ? AND e.xid = h.xid AND e.id = h.id)";
    this.all = sql(COLUMNS + ", ", table, "");
    this.allButExcluded = sql(COLUMNS + ", ", table, butExcluded);
    this.countSql = "SELECT count(*) FROM (" + sql("", table, butExcluded) + ") counted";
  }

  private static String sql(String columns, String table, String butExcluded) {
    String rows =
        "(SELECT "
            + columns
            + "h.xid AS by_xid, h.id AS by_id FROM "
            + table
            + " h WHERE %s"
            + " AND pg_visible_in_snapshot(h.xid, ?::pg_snapshot)"
            + " AND (h.xid, h.id) > (?::xid8, ?::bigint)"
            + butExcluded
            + " ORDER BY h.xid, h.id LIMIT ?)";
    return "SELECT * FROM ("
        + rows.formatted("h.xid = ANY(?::xid8[])")
        + " UNION ALL "
        + rows.formatted("h.xid >= ?::xid8 AND h.xid < ?::xid8")
        + ") waiting ORDER BY by_xid, by_id LIMIT ?";
  }

  /** The query for at most {@code limit} rows; needs a transaction, since it fetches by cursor. */
  public PreparedStatement prepare(Connection connection, Position from, Snapshot to, int limit)
      throws SQLException {
    return prepare(connection, from, to, limit, true);
  }

  /**
   * As {@link #prepare(Connection, Position, Snapshot, int)}.
   *
   * @param exclusions whether some rows are excluded; if none are, the query does not look
   */
  PreparedStatement prepare(
      Connection connection, Position from, Snapshot to, int limit, boolean exclusions)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(exclusions ? allButExcluded : all);
    statement.setFetchSize(FETCH);
    bind(statement, from, to, limit, exclusions);
    return statement;
  }

  /** How many rows there are, counted up to {@code limit}. */
  int count(Connection connection, Position from, Snapshot to, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(countSql)) {
      bind(statement, from, to, limit, true);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private void bind(
      PreparedStatement statement, Position from, Snapshot to, int limit, boolean exclusions)
      throws SQLException {
    int p = 1;
    statement.setString(p++, "{" + from.done().inProgressList() + "}");
    p = bindRange(statement, p, from, to, limit, exclusions);
    statement.setString(p++, Long.toString(from.done().xmax()));
    statement.setString(p++, Long.toString(to.xmax()));
    p = bindRange(statement, p, from, to, limit, exclusions);
    statement.setInt(p, limit);
  }

  private int bindRange(
      PreparedStatement statement,
      int first,
      Position from,
      Snapshot to,
      int limit,
      boolean exclusions)
      throws SQLException {
    int p = first;
    statement.setString(p++, to.toString());
    statement.setString(p++, Long.toString(from.openXid()));
    statement.setLong(p++, from.open() == null ? Long.MIN_VALUE : from.openId());
    if (exclusions) {
      statement.setInt(p++, lockId);
    }
    statement.setInt(p++, limit);
    return p;
  }

  /** The row that {@code rows} stands on. */
  public static HandoffRow row(ResultSet rows) throws SQLException {
    return new HandoffRow(
        rows.getLong(1),
        Long.parseUnsignedLong(rows.getString(2)),
        rows.getLong(3),
        rows.getString(4),
        rows.getString(5));
  }
}
