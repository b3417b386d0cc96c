package dev.recorder.audit;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;

/**
 * What lies between two positions of a log: rows that {@code to} covers and {@code from} does not.
 */
record Stretch(Position from, Position to) {
  boolean contains(RowKey row) {
    return covers(to, row) && !covers(from, row);
  }

  /** Whether a log that has come to {@code position} has {@code row} behind it. */
  static boolean covers(Position position, RowKey row) {
    Snapshot open = position.open();
    return position.done().sees(row.xid())
        || (open != null
            && open.sees(row.xid())
            && row.compareTo(new RowKey(position.openXid(), position.openId())) <= 0);
  }
}
