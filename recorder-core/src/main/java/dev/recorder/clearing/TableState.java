package dev.recorder.clearing;

import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * The state of the leaves of a hand-off table.
 *
 * @param currentBlock the block of the last id drawn
 * @param hasNewRows whether the leaf in use has rows
 * @param leaves by number
 * @param blocks notes of the beginnings of blocks, by number; at least the latest
 */
public record TableState(
    long currentBlock, boolean hasNewRows, List<Leaf> leaves, SortedMap<Long, NotedBlock> blocks) {

  /**
   * The size of one leaf.
   *
   * @param pages of rows, without those of indexes and large values
   * @param bytes including indexes and large values
   */
  public record Leaf(long pages, long bytes) {}

  /**
   * The note of a block's beginning.
   *
   * @param age since the beginning, by the database's clock
   * @param fromSlot the first slot that may hold a row of the block
   */
  public record NotedBlock(Duration age, long fromSlot) {}

  boolean isEmpty(int leaf) {
    return leaves.get(leaf).pages() == 0;
  }

  long bytes(int leaf) {
    return leaves.get(leaf).bytes();
  }

  /**
   * The age of a block; zero if its beginning is not noted, so that it lasts too long rather than
   * too short.
   */
  Duration age(long block) {
    NotedBlock noted = blocks.get(block);
    return noted == null ? Duration.ZERO : noted.age();
  }

  /**
   * How long a block has been closed, that is, since a later block began; zero if none is noted.
   */
  Duration closedFor(long block) {
    return blocks.tailMap(block + 1).values().stream()
        .findFirst()
        .map(NotedBlock::age)
        .orElse(Duration.ZERO);
  }

  /**
   * Whether the block behind {@code block} may come into use, and {@code block} is still in use.
   */
  public boolean mayRotate(long block) {
    return currentBlock == block && !isCounterSetBack() && isEmpty(Block.leafOf(block + 1));
  }

  /** Whether ids are assigned a second time, so that no note can be relied on. */
  boolean isCounterSetBack() {
    return !blocks.isEmpty() && blocks.lastKey() > currentBlock;
  }

  /**
   * Returns a slot such that no slot below it has a row in the table, among the slots that were
   * settled before this state was read. A leaf is empty when its next block comes into use. So all
   * of its rows, including late rows of earlier blocks, came later and are in later slots.
   */
  long firstSlotWithRows() {
    return IntStream.range(0, leaves.size())
        .filter(leaf -> !isEmpty(leaf))
        .mapToLong(leaf -> fromSlot(latestBlock(leaf)))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Returns the last block of a leaf that came into use; negative if none did. */
  long latestBlock(int leaf) {
    return currentBlock - Math.floorMod(currentBlock - leaf, Block.LEAVES);
  }

  /** The first slot that may hold a row of a block; the log's first slot if it is not noted. */
  long fromSlot(long block) {
    NotedBlock noted = blocks.get(block);
    return noted == null ? 1 : noted.fromSlot();
  }
}
