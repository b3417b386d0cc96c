package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Whether a hand-off table, or the position of its log, was numbered by another server than this
 * one: dumped and restored, or replicated row by row. By such numbers rows would stall or be
 * skipped.
 *
 * <p>Two signs. Numbers that this server has not given out yet; they show until it has caught up.
 * And a slot's row that was written here in an earlier transaction than its own window reaches,
 * which no server that planned the slot can do; it shows forever, and only where rows could be
 * taken for recorded: with a window that lies below what this server had reached when the copy was
 * loaded, both servers' numbers are apart. Physical copies, and {@code pg_upgrade}, keep the
 * numbers and show neither.
 */
public final class ForeignNumbers {
  /**
   * Of which rows of {@code slots} {@code s} the newest is looked at, which must stay for that.
   * What was planned before a rebase is of the other server.
   */
  public static final String PLANNED_HERE =
      """
      s.lock_id = r.lock_id AND s.slot > r.rebased_slot AND s.epoch > r.rebased_epoch
          AND s.window_to IS NOT NULL""";

  private final SchemaNames names;
  private final Sql compare;

  public ForeignNumbers(SchemaNames names) {
    this.names = names;
    this.compare = Sql.in(names, COMPARE, Map.of("planned_here", PLANNED_HERE));
  }

  /** By the index of the primary key. */
  private static final String COMPARE =
      """
      SELECT coalesce(r.open_snapshot, r.done_snapshot)::text, pg_current_snapshot()::text,
        s.slot, s.reaches, s.written
      FROM {lock_recorders} r
      LEFT JOIN LATERAL (
        SELECT slot, pg_snapshot_xmax(window_to)::text AS reaches,
          s.xmin::text::bigint AS written
        FROM {slots} s
        WHERE {planned_here}
        ORDER BY s.lock_id DESC, s.slot DESC LIMIT 1) s ON true
      WHERE r.lock_id = :lock
      """;

  /** Why nothing may be recorded, and what to do; empty if the numbers are this server's own. */
  public String refusal(Connection connection, int lockId, RecorderName recorder)
      throws SQLException {
    long largest = largestXid(connection, recorder);
    try (SqlStatement statement = compare.on(connection)) {
      return statement.set("lock", lockId).first(row -> judge(row, recorder, largest)).orElse("");
    }
  }

  private static String judge(ResultSet row, RecorderName recorder, long largest)
      throws SQLException {
    long next = Snapshot.parse(row.getString(2)).xmax();
    long position = Snapshot.parse(row.getString(1)).xmax();
    if (position > next || largest >= next) {
      return "the hand-off table or the log of recorder "
          + recorder
          + " carries transaction numbers ("
          + Math.max(position, largest)
          + ") that this database has not reached ("
          + next
          + ")"
          + remedy(recorder);
    }
    long slot = row.getLong(3);
    if (row.wasNull()) {
      return "";
    }
    long reaches = Long.parseLong(row.getString(4));
    return whole(row.getLong(5), next) < reaches
        ? "slot "
            + slot
            + " of recorder "
            + recorder
            + " was planned at transaction "
            + reaches
            + " of another server, and came to this one before its transaction "
            + reaches
            + remedy(recorder)
        : "";
  }

  private static String remedy(RecorderName recorder) {
    return ": it was dumped and restored, or replicated; nothing is recorded from it until"
        + " 'recorder rebase "
        + recorder
        + "', see the runbook, 'Restored databases'";
  }

  /** A row keeps the lower half of its transaction's number: the latest it can have been. */
  private static long whole(long lowerHalf, long next) {
    long number = (next & ~0xffff_ffffL) | lowerHalf;
    return number < next ? number : number - (1L << 32);
  }

  /**
   * Of what this statement sees, nothing of this server's own is there: its snapshot ends before.
   * So it looks at the end of the index, however many rows are before it, and passes none of a
   * large transaction that is still running, once a later one has ended.
   */
  private static final String LARGEST =
      """
      SELECT h.xid::text FROM {table} h WHERE h.xid >= pg_snapshot_xmax(pg_current_snapshot())
      ORDER BY h.xid DESC, h.id DESC LIMIT 1
      """;

  /** The largest number that this server has not given out yet; 0 if there is none. */
  private long largestXid(Connection connection, RecorderName recorder) throws SQLException {
    try (SqlStatement statement = largest(recorder).on(connection)) {
      return statement.first(row -> Long.parseUnsignedLong(row.getString(1))).orElse(0L);
    }
  }

  Sql largest(RecorderName recorder) {
    return Sql.of(LARGEST, Map.of("table", names.handoffTable(recorder)));
  }
}
