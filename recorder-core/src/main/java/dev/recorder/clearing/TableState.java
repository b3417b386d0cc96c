package dev.recorder.clearing;

import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * How the leaves of a hand-off table stand.
 *
 * @param currentBlock of the id that was given out last
 * @param hasNewRows whether there are rows where new ones come
 * @param leaves by number
 * @param blocks what was noted when they began, by number; the latest at least
 */
public record TableState(
    long currentBlock, boolean hasNewRows, List<Leaf> leaves, SortedMap<Long, NotedBlock> blocks) {

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
  public record NotedBlock(Duration age, long fromSlot) {}

  boolean isEmpty(int leaf) {
    return leaves.get(leaf).pages() == 0;
  }

  long bytes(int leaf) {
    return leaves.get(leaf).bytes();
  }

  /** Zero if it was not noted: better late than early. */
  Duration age(long block) {
    NotedBlock noted = blocks.get(block);
    return noted == null ? Duration.ZERO : noted.age();
  }

  /** A block is closed when a later one begins; zero if none is noted. */
  Duration closedFor(long block) {
    return blocks.tailMap(block + 1).values().stream()
        .findFirst()
        .map(NotedBlock::age)
        .orElse(Duration.ZERO);
  }

  /** Whether the block behind {@code block} may come into use, which that one is now. */
  public boolean mayRotate(long block) {
    return currentBlock == block && !isCounterSetBack() && isEmpty(Block.leafOf(block + 1));
  }

  /** Whether ids are given out a second time: nothing that was noted can be relied on then. */
  boolean isCounterSetBack() {
    return !blocks.isEmpty() && blocks.lastKey() > currentBlock;
  }

  /**
   * Slots below this one, of those that were settled before this was looked at, have no row that
   * the table still has. A leaf is empty when its next block comes into use: whatever it has, late
   * rows of earlier blocks too, came later and is in later slots.
   */
  long firstSlotWithRows() {
    return IntStream.range(0, leaves.size())
        .filter(leaf -> !isEmpty(leaf))
        .mapToLong(leaf -> fromSlot(latestBlock(leaf)))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The last block of a leaf that came into use; below 0 if none did. */
  long latestBlock(int leaf) {
    return currentBlock - Math.floorMod(currentBlock - leaf, Block.LEAVES);
  }

  /** The log's first slot, if it was not noted. */
  long fromSlot(long block) {
    NotedBlock noted = blocks.get(block);
    return noted == null ? 1 : noted.fromSlot();
  }
}
