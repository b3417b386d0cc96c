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
 * Checks whether another server assigned the transaction numbers of a hand-off table or of its
 * log's position, as after dump and restore or logical replication. With such numbers, rows would
 * be delayed or skipped.
 *
 * <p>There are two signs. The first is a number that this server has not assigned yet; it
 * disappears once this server has reached the number. The second is a row of {@code slots} that was
 * written here by a transaction with a lower number than its window's end. The server that planned
 * a slot cannot have such a row of it. The second sign is permanent. It is there exactly if rows
 * could be taken for recorded by mistake: if the window is below the number that this server had
 * reached when the copy was loaded, the numbers of the two servers do not overlap. Physical copies
 * and {@code pg_upgrade} keep the numbers and have neither sign.
 */
public final class ForeignNumbers {
  /**
   * The condition on rows {@code s} of {@code slots} whose newest is checked. That row must not be
   * deleted. Slots that were planned before a rebase have the other server's numbers.
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

  /** Uses the index of the primary key. */
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

  /**
   * Returns why nothing may be recorded, and the remedy; empty if the numbers are this server's
   * own.
   */
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

  /**
   * Completes the lower 32 bits, which a row keeps of its transaction's number, to the highest
   * number that is below {@code next}.
   */
  private static long whole(long lowerHalf, long next) {
    long number = (next & ~0xffff_ffffL) | lowerHalf;
    return number < next ? number : number - (1L << 32);
  }

  /**
   * No row that this server numbered meets the condition, since the statement sees only rows below
   * its snapshot's xmax. So it reads only the end of the index, whatever the number of rows. It
   * also skips the rows of a large running transaction, once a later transaction has ended.
   */
  private static final String LARGEST =
      """
      SELECT h.xid::text FROM {table} h WHERE h.xid >= pg_snapshot_xmax(pg_current_snapshot())
      ORDER BY h.xid DESC, h.id DESC LIMIT 1
      """;

  /**
   * Returns the largest number in the table that this server has not assigned yet; 0 if there is
   * none.
   */
  private long largestXid(Connection connection, RecorderName recorder) throws SQLException {
    try (SqlStatement statement = largest(recorder).on(connection)) {
      return statement.first(row -> Long.parseUnsignedLong(row.getString(1))).orElse(0L);
    }
  }

  Sql largest(RecorderName recorder) {
    return Sql.of(LARGEST, Map.of("table", names.handoffTable(recorder)));
  }
}
