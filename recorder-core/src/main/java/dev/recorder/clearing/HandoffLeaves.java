package dev.recorder.clearing;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.clearing.ClearingPlan.Closed;
import java.util.Optional;
import java.util.Set;

/**
 * Port: the leaves of one log's hand-off table, as one term may change them. Called on one thread.
 * The adapter throws its own exceptions for failures.
 */
public interface HandoffLeaves {
  /**
   * Identifies the session of the adapter. Facts from another session may be of a database state
   * that was lost since, whose row ids were assigned again.
   */
  Object session();

  /** Reads the state of all leaves. */
  TableState look();

  /** Notes now as the beginning of a block whose beginning is not noted. */
  void noteBlock(long block);

  /**
   * Has new ids come from the block behind {@code block}; returns false if another has done that.
   */
  boolean rotate(long block);

  /**
   * Merges the notes of old, cleared blocks with successive numbers into one; no effect if the term
   * is over.
   */
  void mergeBlocks(long currentBlock);

  /** Returns why a leaf cannot be emptied at this moment; empty if it can. */
  String inUse(Closed leaf);

  /**
   * Returns which session keeps a leaf from being emptied, as far as this can be seen without a
   * lock.
   *
   * @return one sentence without its full stop; empty if no such session is seen
   */
  String heldBy(Closed leaf);

  /** Reads which row versions a leaf has. */
  LeafContent content(Closed leaf);

  /** Returns the rows of a leaf as they are stored. */
  HandoffRows rows(Closed leaf);

  /** Returns the database's records of the log. */
  LogRecords records();

  /**
   * Empties a leaf if it still has the proved rows and receives no others.
   *
   * @return why the leaf was not emptied, in one sentence without its full stop; empty if it was
   */
  String empty(Closed leaf, Proof proof);

  /**
   * Returns the message of a failure that need not stop the other leaves; empty for any other
   * failure.
   */
  Optional<String> troubleOfOne(RuntimeException failure);

  /**
   * A proof that the log has all rows of a leaf.
   *
   * @param content of the leaf before its rows were compared with the log
   * @param blocks of the rows' ids
   * @param upTo the last slot that the proof needed
   */
  record Proof(LeafContent content, Set<Long> blocks, long upTo) {}
}
