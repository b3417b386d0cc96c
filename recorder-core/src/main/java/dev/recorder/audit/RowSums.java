package dev.recorder.audit;

import dev.recorder.audit.objects.RowPrint;
import dev.recorder.handoff.Block;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Sums of a set of rows, independent of their order and of their transactions' numbers. Takes at
 * most 20 MB. Not thread-safe.
 */
final class RowSums {
  private final Sums sums = new Sums();
  private final Set<Long> blocks = new HashSet<>();

  void add(RowPrint row) {
    blocks.add(Block.of(row.id()));
    sums.add(new RowPrint(row.id(), 0, row.timeMicros(), row.high(), row.low()));
  }

  /** Whether a row with this id may be in the set; ids of other blocks share their places. */
  boolean mayHave(long id) {
    return blocks.contains(Block.of(id));
  }

  long rows() {
    return sums.rows();
  }

  /** The number of rows at one place. */
  long rows(int place) {
    return sums.rows(place);
  }

  /** The blocks of all ids. */
  Set<Long> blocks() {
    return Set.copyOf(blocks);
  }

  /** Whether both sums are of the same rows. */
  boolean equalTo(RowSums other) {
    return sums.rows() == other.sums.rows() && differences(other).isEmpty();
  }

  /** Returns the places where the rows differ. */
  BitSet differences(RowSums other) {
    return sums.differences(other.sums);
  }
}
