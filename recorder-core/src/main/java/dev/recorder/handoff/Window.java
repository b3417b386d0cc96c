package dev.recorder.handoff;

/**
 * The part of a hand-off table that one slot covers. These are the rows that {@code to} sees and
 * {@code from} does not, without the rows of earlier slots of the same window, in the order (xid,
 * id). A {@code complete} window ends with this slot; otherwise the window's next rows are in later
 * slots.
 *
 * <p>The design is that of PgQ's ticks. No row is updated or deleted. No row is missed, whatever
 * the order of commits. A slow transaction delays only its own rows.
 */
public record Window(Snapshot from, Snapshot to, boolean complete) {
  public Window {
    if (!to.covers(from)) {
      throw new IllegalArgumentException("window " + from + " to " + to + " runs backwards");
    }
  }

  /**
   * Returns the position after a slot of this window whose last row is {@code (lastXid, lastId)}.
   */
  public Position after(long lastXid, long lastId) {
    return complete ? Position.doneUpTo(to) : new Position(from, to, lastXid, lastId);
  }
}
