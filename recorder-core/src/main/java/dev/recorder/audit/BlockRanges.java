package dev.recorder.audit;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of block numbers, kept as ranges of successive numbers, so that the blocks of years take a
 * few ranges. Immutable.
 */
public final class BlockRanges {
  private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

  private BlockRanges() {}

  /** Blocks from the first to the last, both included. */
  public record BlockRange(long first, long last) {
    public BlockRange {
      if (first > last) {
        throw new IllegalArgumentException("no blocks from " + first + " to " + last);
      }
    }
  }

  /** Returns the blocks of some ranges, which may overlap. */
  public static BlockRanges of(Collection<BlockRange> ranges) {
    BlockRanges merged = new BlockRanges();
    ranges.stream().sorted(Comparator.comparingLong(BlockRange::first)).forEach(merged::add);
    return merged;
  }

  /** Returns a set of single blocks. */
  public static BlockRanges ofBlocks(Collection<Long> blocks) {
    return of(blocks.stream().map(block -> new BlockRange(block, block)).toList());
  }

  /** Adds a range; no range added before begins later. */
  private void add(BlockRange range) {
    Map.Entry<Long, Long> before = lastByFirst.lastEntry();
    if (before != null && range.first() <= before.getValue() + 1) {
      lastByFirst.put(before.getKey(), Math.max(before.getValue(), range.last()));
    } else {
      lastByFirst.put(range.first(), range.last());
    }
  }

  boolean has(long block) {
    Map.Entry<Long, Long> range = lastByFirst.floorEntry(block);
    return range != null && block <= range.getValue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BlockRanges that && lastByFirst.equals(that.lastByFirst);
  }

  @Override
  public int hashCode() {
    return lastByFirst.hashCode();
  }

  @Override
  public String toString() {
    return lastByFirst.toString();
  }
}
