package dev.recorder.handoff;

import org.jspecify.annotations.Nullable;

/**
 * How far a hand-off table has been recorded.
 *
 * <p>Every row that {@code done} sees is recorded. If a window is open, so are the rows that {@code
 * open} sees, up to and including {@code (openXid, openId)} in the order (xid, id).
 *
 * @param done snapshot up to which all is recorded
 * @param open the later snapshot of a window that did not fit into one slot, or null
 * @param openXid last recorded row of the open window; 0 without one
 * @param openId last recorded row of the open window; 0 without one
 */
public record Position(Snapshot done, @Nullable Snapshot open, long openXid, long openId) {
  public static final Position START = doneUpTo(Snapshot.NOTHING);

  public Position {
    if (open != null && !open.covers(done)) {
      throw new IllegalArgumentException("window " + done + " to " + open + " runs backwards");
    }
  }

  /** Everything {@code snapshot} sees is recorded, nothing else. */
  public static Position doneUpTo(Snapshot snapshot) {
    return new Position(snapshot, null, 0, 0);
  }

  /**
   * Whether all rows of a committed transaction are recorded, as far as the position can tell: of
   * the transaction in whose middle an open window may stand, the next slot says. Windows are taken
   * in the order of transactions, so that those before it are done with.
   */
  public boolean hasRecorded(long xid) {
    return done.sees(xid) || (open != null && open.sees(xid) && xid < openXid);
  }

  /** Whether {@code snapshot} belongs to the same, or a later part of the same, history. */
  public boolean isCoveredBy(Snapshot snapshot) {
    return snapshot.covers(open == null ? done : open);
  }
}
