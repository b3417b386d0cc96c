package dev.recorder.clearing;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.RowSums;
import dev.recorder.clearing.ClearingPlan.Closed;
import java.util.Optional;

/**
 * Port: the leaves of one log's hand-off table, as one term may change them. Called on one thread.
 * What cannot be asked or done is an exception of the adapter's.
 */
public interface HandoffLeaves {
  /** How they stand; empty if the table has none, as one of an earlier version. */
  Optional<TableState> look();

  /** Notes a block of which nobody knows when it began: now at the latest. */
  void noteBlock(long block);

  /** Has ids of the block behind {@code block} given out; nothing if that has been done. */
  boolean rotate(long block);

  /** The rows of a leaf as they are stored. */
  HandoffRows rows(int leaf);

  /** What the database says of the log. */
  LogRecords records();

  /**
   * Empties a leaf if it has the rows that were proved to be in the log, and gets no other.
   *
   * @param upTo the last slot that was needed to prove it
   * @return why not, in one sentence without its end; empty if it was emptied
   */
  String empty(Closed leaf, RowSums proved, long upTo);
}
