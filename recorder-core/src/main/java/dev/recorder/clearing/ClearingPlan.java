package dev.recorder.clearing;

import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides when the leaves of one hand-off table are emptied, and when the next leaf comes into use.
 * Pure.
 *
 * <p>Rows are deleted by emptying a whole leaf. Therefore the {@link Block} in use must change
 * often enough: after a sixth of the history. Six blocks are then kept, one is in use and one is
 * being emptied, which makes eight. A leaf that is not empty is not used again.
 */
public final class ClearingPlan {
  private static final int KEPT = 6;

  /** The shortest time for which a block is in use, unless it has grown large. */
  private static final Duration SHORTEST_BLOCK = Duration.ofMinutes(10);

  /** The default size of a block, in bytes, if rows are not kept. */
  public static final long DEFAULT_BLOCK = 64L << 20;

  /** The pause between two turns with blocks of the default size; smaller blocks fill up sooner. */
  private static final Duration SELDOM = Duration.ofSeconds(10);

  private static final Duration OFTEN = Duration.ofSeconds(1);

  private final Duration history;
  private final long blockBytes;

  /** Creates a plan with blocks of the default size. */
  public ClearingPlan(Duration history) {
    this(history, DEFAULT_BLOCK);
  }

  /**
   * Creates a plan.
   *
   * @param history how long rows stay after their block has received its last row
   * @param blockBytes size, with indexes and large values, at which the next block comes into use;
   *     no effect unless {@link #isBySize}
   */
  public ClearingPlan(Duration history, long blockBytes) {
    this.history = history;
    this.blockBytes = blockBytes;
  }

  /**
   * Whether a block also ends when it has grown large. This saves space if the history is shorter
   * than the time of a block. With a longer history, eight large blocks would soon fill all leaves,
   * and the last block would have to last for the whole history.
   */
  public static boolean isBySize(Duration history) {
    return history.compareTo(SHORTEST_BLOCK) < 0;
  }

  /** The pause between two turns. */
  public Duration pause() {
    if (!isBySize(history) || blockBytes >= DEFAULT_BLOCK) {
      return SELDOM;
    }
    Duration inProportion = Duration.ofMillis(SELDOM.toMillis() * blockBytes / DEFAULT_BLOCK);
    return inProportion.compareTo(OFTEN) > 0 ? inProportion : OFTEN;
  }

  /**
   * A leaf that receives no more rows.
   *
   * @param block the block whose rows the leaf has
   * @param closedFor how long the leaf has received no rows
   * @param fromSlot the first slot that may hold a row of the leaf
   */
  public record Closed(long block, Duration closedFor, long fromSlot) {
    public int leaf() {
      return Block.leafOf(block);
    }
  }

  /** Returns the leaves that have rows and receive no more, the oldest first. */
  public static List<Closed> closed(TableState table) {
    return IntStream.range(0, Block.LEAVES)
        .filter(leaf -> leaf != Block.leafOf(table.currentBlock()) && !table.isEmpty(leaf))
        .mapToObj(table::latestBlock)
        .filter(block -> block >= 0)
        .sorted()
        .map(block -> new Closed(block, table.closedFor(block), table.fromSlot(block)))
        .toList();
  }

  /**
   * Whether the rows of a leaf have been kept for long enough. A leaf with the newest rows stays,
   * however old, since producers such as a timer continue from them.
   */
  public boolean isDue(TableState table, Closed leaf) {
    return table.hasNewRows() && leaf.closedFor().compareTo(history) >= 0;
  }

  /** Whether new ids must come from the next block. */
  public boolean isRotationDue(TableState table) {
    long current = table.currentBlock();
    if (!table.hasNewRows() || !table.isEmpty(Block.leafOf(current + 1))) {
      return false;
    }
    Duration block = history.dividedBy(KEPT);
    Duration lasts = block.compareTo(SHORTEST_BLOCK) > 0 ? block : SHORTEST_BLOCK;
    boolean large = isBySize(history) && table.bytes(Block.leafOf(current)) >= blockBytes;
    return large || table.age(current).compareTo(lasts) >= 0;
  }
}
