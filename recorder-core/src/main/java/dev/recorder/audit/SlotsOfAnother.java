package dev.recorder.audit;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.logging.Plurals;
import dev.recorder.slotlog.ObjectMetadata;
import java.util.Map;
import java.util.TreeMap;

/**
 * Slots that another database has written. The lines of a copy have no rows here. If this database
 * was restored while the other one continued, and the other one recorded some of the same rows
 * first, these lines have rows here.
 */
final class SlotsOfAnother {
  /** The most such slots; lines of further ones are not searched. */
  private static final int MOST = 10_000;

  private final Tally tally;
  private final Map<Long, LineCounts> slots = new TreeMap<>();

  /** The lines of a slot, as far as known; lines in cleared blocks are unknown. */
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

  /** Notes whether a line of such a slot has a row here. */
  void line(long slot, boolean isHere) {
    LineCounts found = slots.get(slot);
    if (found != null) {
      found.here += isHere ? 1 : 0;
      found.rowless += isHere ? 0 : 1;
    }
  }

  /** Judges, once all lines that can be searched were searched. */
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
