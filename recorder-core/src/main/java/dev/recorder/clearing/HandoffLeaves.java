package dev.recorder.clearing;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.clearing.ClearingPlan.Closed;
import java.util.Optional;
import java.util.Set;

/**
 * Port: the leaves of one log's hand-off table, as one term may change them. Called on one thread.
 * What cannot be asked or done is an exception of the adapter's.
 */
public interface HandoffLeaves {
  /**
   * Names the session that they are asked on. What was learned on another may be of a database that
   * was lost since, and numbers of its rows given out again.
   */
  Object session();

  /** How they stand. */
  TableState look();

  /** Notes a block of which nobody knows when it began: now at the latest. */
  void noteBlock(long block);

  /** Has ids of the block behind {@code block} given out; nothing if that has been done. */
  boolean rotate(long block);

  /**
   * Keeps one note of many blocks that were cleared and follow one another, where that is long ago;
   * nothing if the term is over.
   */
  void mergeBlocks(long currentBlock);

  /** Why nobody could empty a leaf at this moment; empty if one could. */
  String inUse(Closed leaf);

  /**
   * Who keeps a leaf from being emptied, as far as can be told without a lock.
   *
   * @return one sentence without its end; empty if nobody is seen
   */
  String heldBy(Closed leaf);

  /** What a leaf has. */
  LeafContent content(Closed leaf);

  /** The rows of a leaf as they are stored. */
  HandoffRows rows(Closed leaf);

  /** What the database says of the log. */
  LogRecords records();

  /**
   * Empties a leaf if it has what was proved to be in the log, and gets nothing else.
   *
   * @return why not, in one sentence without its end; empty if it was emptied
   */
  String empty(Closed leaf, Proof proof);

  /** What to say of a failure that the other leaves need not share; empty of any other. */
  Optional<String> troubleOfOne(RuntimeException failure);

  /**
   * That the log has the rows of a leaf.
   *
   * @param content what the leaf had before they were compared
   * @param blocks of their ids
   * @param upTo the last slot that was needed
   */
  record Proof(LeafContent content, Set<Long> blocks, long upTo) {}
}
