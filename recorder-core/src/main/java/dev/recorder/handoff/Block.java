package dev.recorder.handoff;

/**
 * Where a row of a log's hand-off table lies, by its id: ids are given out in blocks of 2^{@value
 * #BITS}, one after the other, and a block's rows lie in one of {@value #LEAVES} leaves, which the
 * blocks use in turn. Which block is in use says the counter of the ids.
 */
public final class Block {
  /** Of an id, below its block's number. Ids stay below 2^53 for two million blocks. */
  public static final int BITS = 32;

  /** How many leaves a table has; a power of two. */
  public static final int LEAVES = 8;

  private Block() {}

  /** The block of an id. */
  public static long of(long id) {
    return id >> BITS;
  }

  /** The leaf of a block. */
  public static int leafOf(long block) {
    return (int) (block & (LEAVES - 1));
  }
}
