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
 * Which stretches of the index (xid, id) hold the rows between a position and a snapshot: every row
 * that the snapshot sees and the position does not is in one of them, those of the first before
 * those of the second. What else is in them the snapshot does not see.
 *
 * <p>Transactions that were in progress at the earlier snapshot come first, by their list; all
 * others have numbers from its xmax on. Each stretch begins behind the last row that is recorded,
 * in the very comparison by which the index is entered: a bound beside it would be a mere filter,
 * and the index be walked from the first row of the table.
 *
 * <p>They are conditions on {@code h.xid} and {@code h.id}, made of numbers alone: COPY takes no
 * parameters.
 */
final class HandoffRanges {
  private HandoffRanges() {}

  static List<String> between(Position from, Snapshot to) {
    return between(from, to, LongTransactions.NONE);
  }

  /**
   * The same; what began since is cut at {@code longTransactions}, whose rows the snapshot does not
   * see, so that they are not walked.
   */
  static List<String> between(Position from, Snapshot to, LongTransactions longTransactions) {
    List<String> ranges = new ArrayList<>();
    Snapshot done = from.done();
    // What is recorded of an open window may end within a transaction that was in progress then.
    if (done.hasInProgress(from.openXid())) {
      ranges.add(upTo(behind(from.openXid(), from.openId()), from.openXid() + 1));
    }
    String running =
        done.inProgressAbove(from.openXid())
            .filter(to::sees) // Else one that has inserted millions is walked again and again.
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
