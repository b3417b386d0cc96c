package dev.recorder.clearing;

import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is to be done next with the leaves of one hand-off table. Pure.
 *
 * <p>Rows go by emptying a leaf, so the {@link Block} in use must change often enough that there is
 * one to empty: when it has lasted a sixth of the history to be kept. Six that are kept, one in use
 * and one being emptied make eight. A leaf that is not empty is not used again.
 */
public final class ClearingPlan {
  private static final int KEPT = 6;

  /** No block lasts shorter, unless it has grown large. */
  private static final Duration SHORTEST_BLOCK = Duration.ofMinutes(10);

  /** What is kept for no longer than that is not to take more than that, as far as we can help. */
  private static final long LARGE_LEAF = 64L << 20;

  private final Duration history;
  private final boolean givesLeaves;

  /** A plan that gives leaves to a table of an earlier version. */
  public ClearingPlan(Duration history) {
    this(history, true);
  }

  /**
   * A plan.
   *
   * @param history how long rows stay after the last one came into their block
   * @param givesLeaves whether a table of an earlier version is to have leaves, from which its rows
   *     go, too
   */
  public ClearingPlan(Duration history, boolean givesLeaves) {
    this.history = history;
    this.givesLeaves = givesLeaves;
  }

  boolean givesLeaves() {
    return givesLeaves;
  }

  /**
   * A leaf that gets no more rows.
   *
   * @param block whose rows are in it
   * @param closedFor how long it has got none
   * @param fromSlot the first slot that may hold a row of it
   */
  public record Closed(long block, Duration closedFor, long fromSlot) {
    public int leaf() {
      return Block.leafOf(block);
    }
  }

  /** Leaves with rows that get no more, the oldest first. */
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
   * Whether its rows have been kept for long enough. The newest rows stay, however old: who goes on
   * from them, such as a timer, finds them.
   */
  public boolean isDue(TableState table, Closed leaf) {
    return table.hasNewRows() && leaf.closedFor().compareTo(history) >= 0;
  }

  /** Whether the ids that come are to be those of the next block. */
  public boolean isRotationDue(TableState table) {
    long current = table.currentBlock();
    if (!table.hasNewRows() || !table.isEmpty(Block.leafOf(current + 1))) {
      return false;
    }
    Duration block = history.dividedBy(KEPT);
    Duration lasts = block.compareTo(SHORTEST_BLOCK) > 0 ? block : SHORTEST_BLOCK;
    boolean large =
        history.compareTo(SHORTEST_BLOCK) < 0 && table.bytes(Block.leafOf(current)) >= LARGE_LEAF;
    return large || table.age(current).compareTo(lasts) >= 0;
  }
}
