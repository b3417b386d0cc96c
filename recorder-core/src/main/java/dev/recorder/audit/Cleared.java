package dev.recorder.audit;

import dev.recorder.handoff.Block;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Which rows of a hand-off have been cleared away, so that their lines have no row any more: what
 * was noted when it was done. Of a table of an earlier version nothing is noted: there age decides.
 * Where such a table has become one of leaves, age decides in its first block, which has all that
 * there was before, and by the notes in the others.
 */
public final class Cleared {
  /** Nothing is noted: what is older than all rows is gone. */
  public static final Cleared BY_AGE = new Cleared(BlockRanges.of(List.of()), Long.MAX_VALUE);

  private final BlockRanges blocks;
  private final long notedFrom;

  /**
   * What was cleared.
   *
   * @param blocks by the notes
   * @param notedFrom the first block of which everything is noted
   */
  private Cleared(BlockRanges blocks, long notedFrom) {
    this.blocks = blocks;
    this.notedFrom = notedFrom;
  }

  /** Rows with ids of these blocks. */
  public static Cleared ofBlocks(BlockRanges blocks) {
    return new Cleared(blocks, 0);
  }

  /** The same, one by one. */
  public static Cleared ofBlocks(Collection<Long> blocks) {
    return ofBlocks(BlockRanges.ofBlocks(blocks));
  }

  /** The same of a table that an earlier version made. */
  public static Cleared ofBlocksOfUpgraded(BlockRanges blocks) {
    return new Cleared(blocks, 1);
  }

  /** Whether the row with this id was cleared, by the notes. One that came late has come since. */
  boolean has(long id) {
    return blocks.has(Block.of(id));
  }

  /**
   * Whether a line needs no row.
   *
   * @param oldestKept the time of the oldest row there is
   */
  boolean excuses(long id, long timeMicros, OptionalLong oldestKept) {
    return has(id) || (Block.of(id) < notedFrom && isOlder(timeMicros, oldestKept));
  }

  /** Whether lines that are all older than any row need none, as long as age says anything. */
  boolean goesByAge(long timeMicros, OptionalLong oldestKept) {
    return notedFrom > 0 && !blocks.has(0) && isOlder(timeMicros, oldestKept);
  }

  private static boolean isOlder(long timeMicros, OptionalLong oldestKept) {
    return oldestKept.isEmpty() || timeMicros < oldestKept.getAsLong();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cleared that
        && notedFrom == that.notedFrom
        && blocks.equals(that.blocks);
  }

  @Override
  public int hashCode() {
    return Objects.hash(blocks, notedFrom);
  }
}
