package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import org.jspecify.annotations.Nullable;

/**
 * Which long transactions the reads of a term avoid, one after the other ({@link Walls}): the first
 * one all that are in progress, the others those that were when the read before built no slot. One
 * that failed counts as such, as it may have been the walk past them that took too long: the same
 * walk would take as long each time. Pure; for one thread.
 */
final class ReadWalls {
  private @Nullable Walls walls;

  /** What the read that begins now avoids. */
  Walls of(Snapshot now) {
    Walls avoided = walls == null ? new Walls(now) : walls;
    walls = new Walls(now);
    return avoided;
  }

  /** What came of it; null if there was no row. A read that fails has no answer. */
  void told(@Nullable LedgerEvent answer) {
    if (answer instanceof Event.Built) {
      walls = Walls.NONE;
    }
  }
}
