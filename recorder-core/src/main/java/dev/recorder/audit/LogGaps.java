package dev.recorder.audit;

import dev.recorder.handoff.RowKey;
import dev.recorder.logging.Plurals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the log is not whole: slots that are gone, and windows that do not follow one another. What
 * that means is shown by the rows of the hand-off that belong there.
 */
final class LogGaps {
  /** Bounds the memory; of slots beyond, all rows count as lost, whatever the hand-off has. */
  private static final int MOST = 100_000;

  /** Each is compared with every row that the log lacks. */
  private static final int MOST_DOUBTS = 1_000;

  private final Tally tally;
  private final Map<Long, AbsentSlot> absent = new LinkedHashMap<>();
  private final List<Stretch> stretches = new ArrayList<>();
  private final List<AbsentSlot> absentByStretch = new ArrayList<>();
  private final List<Doubt> doubts = new ArrayList<>();

  /** A slot that is gone; its rows that the hand-off has are counted one by one. */
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

  /** Where what comes of them is counted. */
  Tally tally() {
    return tally;
  }

  void gap(String finding) {
    tally.gap(finding);
  }

  /** A gap if there are rows in {@code stretch}, and nothing if there are none. */
  void gapIfRowsAreIn(Stretch stretch, String finding) {
    if (doubts.size() < MOST_DOUBTS) {
      doubts.add(new Doubt(stretch, finding));
    } else {
      tally.gap(finding);
    }
  }

  /** Slot {@code slot}, with {@code rows} rows, is gone. Slots come in their order. */
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
   * The hand-off has a row that stands in no slot, or not in its own.
   *
   * @return whether the slot is gone that should hold it
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

  /** Stretches follow one another: the first whose end covers the row has it, or none has. */
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

  /** Judges, once all rows have been told. */
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
