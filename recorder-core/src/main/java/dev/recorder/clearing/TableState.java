package dev.recorder.clearing;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How the leaves of a hand-off table stand.
 *
 * @param currentBlock of the id that was given out last
 * @param leaves by number
 * @param blocks what was noted when they began, by number; the latest at least
 */
public record TableState(long currentBlock, List<Leaf> leaves, Map<Long, Block> blocks) {

  /**
   * One leaf.
   *
   * @param pages of its rows, without what lies beside them
   * @param bytes with indexes and large values
   */
  public record Leaf(long pages, long bytes) {}

  /**
   * What was noted when a block began.
   *
   * @param age since then, by the database's clock
   * @param fromSlot the first slot that may hold a row of it
   */
  public record Block(Duration age, long fromSlot) {}

  boolean isEmpty(int leaf) {
    return leaves.get(leaf).pages() == 0;
  }

  long bytes(int leaf) {
    return leaves.get(leaf).bytes();
  }

  /** Zero if it was not noted: better late than early. */
  Duration age(long block) {
    Block noted = blocks.get(block);
    return noted == null ? Duration.ZERO : noted.age();
  }

  /** A block is closed when the one behind it begins. */
  Duration closedFor(long block) {
    return age(block + 1);
  }

  /** The log's first slot, if it was not noted. */
  long fromSlot(long block) {
    Block noted = blocks.get(block);
    return noted == null ? 1 : noted.fromSlot();
  }
}
