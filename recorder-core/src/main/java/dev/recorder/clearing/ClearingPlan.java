package dev.recorder.clearing;

import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What to do next with the leaves of one hand-off table. Pure.
 *
 * <p>Rows go by emptying a leaf, so the {@link Block} in use must change often enough that there is
 * one to empty: when it has lasted a sixth of the history to be kept. Six that are kept, one in use
 * and one being emptied make eight. A leaf that is not empty is not used again.
 */
public final class ClearingPlan {
  private static final int KEPT = 6;

  /** No block lasts shorter, unless it has grown large. */
  private static final Duration SHORTEST_BLOCK = Duration.ofMinutes(10);

  /** How large a block grows of what is not kept, in bytes, unless somebody says otherwise. */
  public static final long DEFAULT_BLOCK = 64L << 20;

  /** From one turn to the next, of blocks of that size; one that is smaller fills up sooner. */
  private static final Duration SELDOM = Duration.ofSeconds(10);

  private static final Duration OFTEN = Duration.ofSeconds(1);

  private final Duration history;
  private final long blockBytes;

  /** A plan with blocks of the usual size. */
  public ClearingPlan(Duration history) {
    this(history, DEFAULT_BLOCK);
  }

  /**
   * A plan.
   *
   * @param history how long rows stay after the last one came into their block
   * @param blockBytes how large a block grows, with indexes and large values, before the next comes
   *     into use; without effect unless {@link #isBySize}
   */
  public ClearingPlan(Duration history, long blockBytes) {
    this.history = history;
    this.blockBytes = blockBytes;
  }

  /**
   * Whether a block also ends when it has grown large: what is kept for a shorter time than blocks
   * last is not to take more space than it must. Of a longer history eight large blocks would soon
   * be all there are, and the last of them would last for all of it.
   */
  public static boolean isBySize(Duration history) {
    return history.compareTo(SHORTEST_BLOCK) < 0;
  }

  /** How long to wait from one turn to the next. */
  public Duration pause() {
    if (!isBySize(history) || blockBytes >= DEFAULT_BLOCK) {
      return SELDOM;
    }
    Duration inProportion = Duration.ofMillis(SELDOM.toMillis() * blockBytes / DEFAULT_BLOCK);
    return inProportion.compareTo(OFTEN) > 0 ? inProportion : OFTEN;
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

  /** Whether the next ids must be those of the next block. */
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
