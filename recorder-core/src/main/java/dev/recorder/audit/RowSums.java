package dev.recorder.audit;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.KeptRow;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Which rows there are, summed up in whatever order they come and without their transactions'
 * numbers. 20 MB at most. Not thread-safe.
 */
public final class RowSums {
  private final Sums sums = new Sums();
  private final Set<Long> blocks = new HashSet<>();

  RowSums() {}

  /** Reads all of {@code rows} once. */
  public static RowSums of(HandoffRows rows) {
    RowSums sums = new RowSums();
    RowPrints prints = new RowPrints();
    rows.scan(
        new HandoffRows.Sink() {
          @Override
          public void row(KeptRow row) {
            sums.add(prints.of(row));
          }

          @Override
          public void progress(long read, long pages) {}
        });
    return sums;
  }

  void add(RowPrint row) {
    blocks.add(Block.of(row.id()));
    sums.add(new RowPrint(row.id(), 0, row.timeMicros(), row.high(), row.low()));
  }

  /** Whether a row with this id could be among them: ids of other blocks share their places. */
  boolean mayHave(long id) {
    return blocks.contains(Block.of(id));
  }

  public long rows() {
    return sums.rows();
  }

  /** Whether these are the very rows that {@code other} has. */
  public boolean equalTo(RowSums other) {
    return sums.rows() == other.sums.rows() && differences(other).isEmpty();
  }

  /** Places where they are not. */
  BitSet differences(RowSums other) {
    return sums.differences(other.sums);
  }
}
