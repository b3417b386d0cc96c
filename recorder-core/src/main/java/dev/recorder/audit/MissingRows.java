package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrint;
import dev.recorder.audit.objects.RowPrints;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.RowKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Rows at places whose sums differ, as long as no line was found that is one of them: of so many
 * places at a time that their rows can be held. For one thread.
 */
final class MissingRows implements HandoffRows.RowSink {
  private final RowPrints prints = new RowPrints();
  private final RowSums sums;
  private final int most;

  /** Places whose turn has not come. */
  private final BitSet left;

  private final BitSet places = new BitSet();
  private final Map<RowPrint.Mark, RowKey> rows = new HashMap<>();
  private long expected;

  /**
   * None yet.
   *
   * @param sums of all rows
   * @param differing places whose rows are looked for
   * @param most of how many rows prints are held, unless a single place has more
   */
  MissingRows(RowSums sums, BitSet differing, int most) {
    this.sums = sums;
    this.left = differing;
    this.most = most;
  }

  /** Goes on to the next places, whose rows are to be handed over; false if there are no more. */
  boolean next() {
    rows.clear();
    places.clear();
    expected = 0;
    for (int place = left.nextSetBit(0); place >= 0; place = left.nextSetBit(place + 1)) {
      long here = sums.rows(place);
      if (expected > 0 && expected + here > most) {
        break;
      }
      left.clear(place);
      places.set(place, here > 0);
      expected += here;
    }
    return expected > 0;
  }

  @Override
  public void row(KeptRow row) {
    if (places.get(Sums.place(row.id())) && !hasMore()) {
      RowPrint print = prints.of(row);
      rows.put(print.mark(), print.key());
    }
  }

  @Override
  public void progress(long read, long pages) {}

  /** Whether there are more rows than when they were summed up. */
  boolean hasMore() {
    return rows.size() > expected;
  }

  /** A line of a settled slot. */
  void found(RowPrint line) {
    rows.remove(line.mark());
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** How many there are, such as which one; perhaps of some places only. */
  String count() {
    return (left.isEmpty() ? "%d" : "at least %d").formatted(rows.size())
        + " of its rows are in no settled slot, such as "
        + rows.values().iterator().next();
  }
}
