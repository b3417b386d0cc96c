package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrint;
import dev.recorder.handoff.Block;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Which rows there are, summed up in whatever order they come and without their transactions'
 * numbers. 20 MB at most. Not thread-safe.
 */
final class RowSums {
  private final Sums sums = new Sums();
  private final Set<Long> blocks = new HashSet<>();

  void add(RowPrint row) {
    blocks.add(Block.of(row.id()));
    sums.add(new RowPrint(row.id(), 0, row.timeMicros(), row.high(), row.low()));
  }

  /** Whether a row with this id could be among them: ids of other blocks share their places. */
  boolean mayHave(long id) {
    return blocks.contains(Block.of(id));
  }

  long rows() {
    return sums.rows();
  }

  /** Of one place. */
  long rows(int place) {
    return sums.rows(place);
  }

  /** Of all ids. */
  Set<Long> blocks() {
    return Set.copyOf(blocks);
  }

  /** Whether these are the very rows that {@code other} has. */
  boolean equalTo(RowSums other) {
    return sums.rows() == other.sums.rows() && differences(other).isEmpty();
  }

  /** Places where they are not. */
  BitSet differences(RowSums other) {
    return sums.differences(other.sums);
  }
}
