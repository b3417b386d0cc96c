package dev.recorder.audit;

import dev.recorder.handoff.RowKey;
import dev.recorder.logging.Plurals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gaps of a log: missing slots, and windows that do not follow one another. The rows of the
 * hand-off table that belong there show whether rows are lost.
 */
final class LogGaps {
  /**
   * The most missing slots that are kept; of further ones, all rows count as lost, even if the
   * table has them.
   */
  private static final int MOST = 100_000;

  /** The most doubts; each is compared with every row that the log lacks. */
  private static final int MOST_DOUBTS = 1_000;

  private final Tally tally;
  private final Map<Long, AbsentSlot> absent = new LinkedHashMap<>();
  private final List<Stretch> stretches = new ArrayList<>();
  private final List<AbsentSlot> absentByStretch = new ArrayList<>();
  private final List<Doubt> doubts = new ArrayList<>();

  /** A missing slot; its rows in the hand-off table are counted one by one. */
  private static final class AbsentSlot {
    private final long slot;
    private final long planned;
    private long kept;

    AbsentSlot(long slot, long planned) {
      this.slot = slot;
      this.planned = planned;
    }
  }

  private static final class Doubt {
    private final Stretch stretch;
    private final String finding;
    private boolean hasRows;

    Doubt(Stretch stretch, String finding) {
      this.stretch = stretch;
      this.finding = finding;
    }
  }

  LogGaps(Tally tally) {
    this.tally = tally;
  }

  /** The counter of the resulting faults. */
  Tally tally() {
    return tally;
  }

  void gap(String finding) {
    tally.gap(finding);
  }

  /** Reports a gap if the table has rows in {@code stretch}. */
  void gapIfRowsAreIn(Stretch stretch, String finding) {
    if (doubts.size() < MOST_DOUBTS) {
      doubts.add(new Doubt(stretch, finding));
    } else {
      tally.gap(finding);
    }
  }

  /**
   * Notes that slot {@code slot}, with {@code rows} rows, is missing. Slots come in ascending
   * order.
   */
  void absent(long slot, long rows, @Nullable Stretch stretch) {
    if (absent.size() == MOST) {
      tally.lost(rows, "slot " + slot + " is gone with " + Plurals.rows(rows));
      return;
    }
    AbsentSlot gone = new AbsentSlot(slot, rows);
    absent.put(slot, gone);
    if (stretch != null) {
      stretches.add(stretch);
      absentByStretch.add(gone);
    }
  }

  /**
   * Notes that the table has a row that is in no slot, or in the wrong one.
   *
   * @return whether the slot that should hold the row is missing
   */
  boolean kept(RowKey row, long excludedBy) {
    for (Doubt doubt : doubts) {
      doubt.hasRows |= excludedBy == 0 && doubt.stretch.contains(row);
    }
    AbsentSlot gone = excludedBy == 0 ? goneWith(row) : absent.get(excludedBy);
    if (gone != null) {
      gone.kept++;
    }
    return gone != null;
  }

  /**
   * Finds the missing slot of a row. Stretches follow one another, so only the first whose end
   * covers the row can have it.
   */
  private @Nullable AbsentSlot goneWith(RowKey row) {
    int low = 0;
    int high = stretches.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Stretch.covers(stretches.get(middle).to(), row)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low < stretches.size() && stretches.get(low).contains(row)
        ? absentByStretch.get(low)
        : null;
  }

  /** Judges all gaps, once all rows were noted. */
  void judge() {
    for (Doubt doubt : doubts) {
      if (doubt.hasRows) {
        tally.gap(doubt.finding);
      }
    }
    for (AbsentSlot gone : absent.values()) {
      long uncounted = gone.planned - gone.kept;
      if (uncounted > 0) {
        tally.lost(
            uncounted,
            "slot %s is gone with %s that the hand-off has not either"
                .formatted(gone.slot, Plurals.rows(uncounted)));
      }
    }
  }
}
