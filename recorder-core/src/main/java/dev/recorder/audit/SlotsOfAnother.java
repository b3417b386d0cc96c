package dev.recorder.audit;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.logging.Plurals;
import dev.recorder.slotlog.ObjectMetadata;
import java.util.Map;
import java.util.TreeMap;

/**
 * Slots that another database has written. A copy's lines have no rows here; those of a database
 * that this one was restored beside, and that recorded some of the same rows first, have theirs.
 */
final class SlotsOfAnother {
  /** Bounds the memory; lines of slots beyond are not looked for. */
  private static final int MOST = 10_000;

  private final Tally tally;
  private final Map<Long, LineCounts> slots = new TreeMap<>();

  /** What is known of a slot's lines; of those in cleared blocks nothing is. */
  private static final class LineCounts {
    private final String slot;
    private final long lines;
    private long here;
    private long rowless;

    LineCounts(String slot, long lines) {
      this.slot = slot;
      this.lines = lines;
    }
  }

  SlotsOfAnother(Tally tally) {
    this.tally = tally;
  }

  void add(ObjectMetadata object, DatabaseIdentity by, long lines) {
    String slot =
        "slot %s was written by %s in epoch %s from another database, %s: "
            .formatted(object.slot(), object.writer(), object.epoch(), by.name());
    if (slots.size() < MOST) {
      slots.put(object.slot(), new LineCounts(slot, lines));
    } else {
      tally.foreign(lines, slot + Plurals.of(lines, "line", "lines"));
    }
  }

  boolean has(long slot) {
    return slots.containsKey(slot);
  }

  /** A line of such a slot was looked for. */
  void line(long slot, boolean isHere) {
    LineCounts found = slots.get(slot);
    if (found != null) {
      found.here += isHere ? 1 : 0;
      found.rowless += isHere ? 0 : 1;
    }
  }

  /** All lines that can be looked for have been. */
  void judge() {
    for (LineCounts found : slots.values()) {
      String lines = Plurals.of(found.lines, "line", "lines");
      if (found.rowless == found.lines) {
        tally.foreign(found.lines, found.slot + "no row of this one ever stood in its " + lines);
      } else if (found.rowless > 0) {
        tally.foreign(
            found.rowless, found.slot + found.rowless + " of its " + lines + " without a row here");
      } else if (found.here == found.lines) {
        tally.note(found.slot + "the rows of its " + lines + " are here");
      } else {
        tally.note(
            found.slot
                + "the rows of "
                + found.here
                + " of its "
                + lines
                + " are here, and the"
                + " others were not compared");
      }
    }
  }
}
