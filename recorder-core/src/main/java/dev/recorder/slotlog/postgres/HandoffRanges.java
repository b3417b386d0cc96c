package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Computes the ranges of the index (xid, id) that have the rows between a position and a snapshot.
 * Each row that the snapshot sees and the position does not is in one range. The rows of an earlier
 * range come before those of a later one. Other rows in the ranges are not visible in the snapshot.
 *
 * <p>The first ranges are the transactions that were in progress at the earlier snapshot, by their
 * list. All other transactions have numbers from its xmax on. Each range begins after the last
 * recorded row, as one comparison of (xid, id), by which PostgreSQL enters the index. A separate
 * bound would only be a filter, and the index would be read from the table's first row.
 *
 * <p>Ranges are conditions on {@code h.xid} and {@code h.id} with literal numbers, since COPY takes
 * no parameters.
 */
final class HandoffRanges {
  private HandoffRanges() {}

  static List<String> between(Position from, Snapshot to) {
    return between(from, to, LongTransactions.NONE);
  }

  /**
   * Returns the ranges without {@code longTransactions}: the last range is split at them, so that
   * their rows are not read. The snapshot does not see these rows.
   */
  static List<String> between(Position from, Snapshot to, LongTransactions longTransactions) {
    List<String> ranges = new ArrayList<>();
    Snapshot done = from.done();
    // The recorded part of an open window may end within a transaction that was in progress then.
    if (done.hasInProgress(from.openXid())) {
      ranges.add(upTo(behind(from.openXid(), from.openId()), from.openXid() + 1));
    }
    String running =
        done.inProgressAbove(from.openXid())
            .filter(to::sees) // Otherwise each read walks the rows of a large running transaction.
            .mapToObj(Long::toString)
            .collect(Collectors.joining(",", "{", "}"));
    if (!running.equals("{}")) {
      ranges.add(
          SqlTemplate.fill(
              "h.xid = ANY({running}::xid8[])", Map.of("running", Quoted.literal(running))));
    }
    if (done.xmax() < to.xmax()) {
      String start =
          from.openXid() >= done.xmax()
              ? behind(from.openXid(), from.openId())
              : behind(done.xmax() - 1, Long.MAX_VALUE);
      long first = Math.max(done.xmax(), from.openXid());
      for (long longTransaction : longTransactions.between(first, to)) {
        ranges.add(upTo(start, longTransaction));
        start = behind(longTransaction, Long.MAX_VALUE);
      }
      ranges.add(upTo(start, to.xmax()));
    }
    return ranges;
  }

  private static String behind(long xid, long id) {
    return SqlTemplate.fill(
        "(h.xid, h.id) > ({xid}, {id})", Map.of("xid", xid(xid), "id", Long.toString(id)));
  }

  private static String upTo(String start, long xid) {
    return SqlTemplate.fill("{start} AND h.xid < {xid}", Map.of("start", start, "xid", xid(xid)));
  }

  private static String xid(long number) {
    return Quoted.literal(Long.toString(number)) + "::xid8";
  }
}
