package dev.recorder.handoff;

/**
 * What part of a hand-off table one slot covers: the rows visible in {@code to} and not in {@code
 * from}, after those that earlier slots of the same window took, ordered by (xid, id), up to the
 * slot's last row, or all of them if the window is {@code complete}.
 *
 * <p>The design is that of PgQ's ticks: no row is updated or deleted, nothing is missed whatever
 * the order of commits, and a slow transaction delays only its own rows.
 */
public record Window(Snapshot from, Snapshot to, boolean complete) {
  public Window {
    if (!to.covers(from)) {
      throw new IllegalArgumentException("window " + from + " to " + to + " runs backwards");
    }
  }

  /** The position after a slot over this window whose last row is {@code (lastXid, lastId)}. */
  public Position after(long lastXid, long lastId) {
    return complete ? Position.doneUpTo(to) : new Position(from, to, lastXid, lastId);
  }
}
