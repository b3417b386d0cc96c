package dev.recorder.handoff;

/**
 * Maps the id of a hand-off row to its block, and a block to its leaf (a partition of the table).
 * Ids are assigned in ascending order. Each 2^{@value #BITS} consecutive ids are a block. The rows
 * of a block are in one of the table's {@value #LEAVES} leaves, and consecutive blocks use the
 * leaves in turn. The sequence of the ids shows which block is in use.
 */
public final class Block {
  /**
   * The low bits of an id that number it within its block. Ids stay below 2^53 for two million
   * blocks.
   */
  public static final int BITS = 32;

  /** The number of leaves of a table. It is a power of two. */
  public static final int LEAVES = 8;

  private Block() {}

  /** Returns the block of an id. */
  public static long of(long id) {
    return id >> BITS;
  }

  /** Returns the leaf of a block. */
  public static int leafOf(long block) {
    return (int) (block & (LEAVES - 1));
  }
}
