package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrint;
import dev.recorder.audit.objects.RowPrints;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.RowKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The rows at places whose sums differ for which no line was found yet. It takes as many places at
 * a time as its memory allows. For one thread.
 */
final class MissingRows implements HandoffRows.RowSink {
  private final RowPrints prints = new RowPrints();
  private final RowSums sums;
  private final int most;

  /** Places that are still to be searched. */
  private final BitSet left;

  private final BitSet places = new BitSet();
  private final Map<RowPrint.Mark, RowKey> rows = new HashMap<>();
  private long expected;

  /**
   * Creates the search; the first group begins with {@link #next}.
   *
   * @param sums of all rows
   * @param differing places whose rows are searched
   * @param most the most rows whose prints are held, unless a single place has more
   */
  MissingRows(RowSums sums, BitSet differing, int most) {
    this.sums = sums;
    this.left = differing;
    this.most = most;
  }

  /**
   * Continues with the next places, whose rows must then be scanned; returns false if there are
   * none.
   */
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

  /** Whether there are more rows than when the sums were made. */
  boolean hasMore() {
    return rows.size() > expected;
  }

  /** Takes a line of a settled slot. */
  void found(RowPrint line) {
    rows.remove(line.mark());
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the number of missing rows, with an example; perhaps of some places only. */
  String count() {
    return (left.isEmpty() ? "%d" : "at least %d").formatted(rows.size())
        + " of its rows are in no settled slot, such as "
        + rows.values().iterator().next();
  }
}
