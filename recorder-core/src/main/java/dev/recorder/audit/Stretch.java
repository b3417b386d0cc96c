package dev.recorder.audit;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;

/**
 * The part of a log between two positions: rows that {@code to} covers and {@code from} does not.
 */
record Stretch(Position from, Position to) {
  boolean contains(RowKey row) {
    return covers(to, row) && !covers(from, row);
  }

  /** Whether a log at {@code position} has passed {@code row}. */
  static boolean covers(Position position, RowKey row) {
    Snapshot open = position.open();
    return position.done().sees(row.xid())
        || (open != null
            && open.sees(row.xid())
            && row.compareTo(new RowKey(position.openXid(), position.openId())) <= 0);
  }
}
