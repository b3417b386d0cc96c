package dev.recorder.audit;

import dev.recorder.handoff.Block;
import java.util.Collection;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a hand-off have been cleared away, so that their lines have no row any more: what
 * was noted when it was done. Of a table of an earlier version nothing is: there it goes by age.
 */
public final class Cleared {
  /** Nothing is noted: what is older than all rows is gone. */
  public static final Cleared BY_AGE = new Cleared(null);

  private final @Nullable Set<Long> blocks;

  private Cleared(@Nullable Set<Long> blocks) {
    this.blocks = blocks;
  }

  /** Rows with ids of these blocks. */
  public static Cleared ofBlocks(Collection<Long> blocks) {
    return new Cleared(Set.copyOf(blocks));
  }

  /** Whether the row with this id was cleared, by the notes. One that came late has come since. */
  boolean has(long id) {
    return blocks != null && blocks.contains(Block.of(id));
  }

  /**
   * Whether a line needs no row.
   *
   * @param oldestKept the time of the oldest row there is
   */
  boolean excuses(long id, long timeMicros, OptionalLong oldestKept) {
    return blocks == null ? isOlder(timeMicros, oldestKept) : has(id);
  }

  /** Whether lines that are all older than any row need none. */
  boolean goesByAge(long timeMicros, OptionalLong oldestKept) {
    return blocks == null && isOlder(timeMicros, oldestKept);
  }

  private static boolean isOlder(long timeMicros, OptionalLong oldestKept) {
    return oldestKept.isEmpty() || timeMicros < oldestKept.getAsLong();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cleared that && Objects.equals(blocks, that.blocks);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(blocks);
  }
}
