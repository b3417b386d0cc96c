package dev.recorder.handoff;

import org.jspecify.annotations.Nullable;

/**
 * The position of a log in its hand-off table: the rows that are recorded.
 *
 * <p>Every row that {@code done} sees is recorded. If a window is open, so are the rows that {@code
 * open} sees, up to and including {@code (openXid, openId)} in the order (xid, id).
 *
 * @param done snapshot whose visible rows are all recorded
 * @param open the later snapshot of a window that did not fit into one slot, or null
 * @param openXid transaction of the last recorded row of the open window; 0 without an open window
 * @param openId id of the last recorded row of the open window; 0 without an open window
 */
public record Position(Snapshot done, @Nullable Snapshot open, long openXid, long openId) {
  public static final Position START = doneUpTo(Snapshot.NOTHING);

  public Position {
    if (open != null && !open.covers(done)) {
      throw new IllegalArgumentException("window " + done + " to " + open + " runs backwards");
    }
  }

  /** Returns the position at which exactly the rows that {@code snapshot} sees are recorded. */
  public static Position doneUpTo(Snapshot snapshot) {
    return new Position(snapshot, null, 0, 0);
  }

  /**
   * Returns whether the position shows that all rows of a committed transaction are recorded. An
   * open window has recorded all transactions before {@code openXid}, as it takes them in the order
   * of their numbers. It may end within {@code openXid} itself: then the result is false, and only
   * the next slot tells.
   */
  public boolean hasRecorded(long xid) {
    return done.sees(xid) || (open != null && open.sees(xid) && xid < openXid);
  }

  /** Returns whether {@code snapshot} is of the same history as this position, and not earlier. */
  public boolean isCoveredBy(Snapshot snapshot) {
    return snapshot.covers(open == null ? done : open);
  }
}
