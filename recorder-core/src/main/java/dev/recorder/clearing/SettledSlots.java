package dev.recorder.clearing;

import dev.recorder.audit.SlotChain;
import dev.recorder.handoff.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: the rows in {@code slots} of one log's settled slots, as one term may fold them. Called on
 * one thread. What cannot be asked or done is an exception of the adapter's.
 */
public interface SettledSlots {
  /** How they stand. */
  SlotsStanding look();

  /** Rows of the slots behind {@code after}, up to {@code upTo}, slot by slot. */
  List<SlotRow> rows(long after, long upTo);

  /** The last slots of all notes, ascending. */
  List<Long> notes();

  /**
   * Puts one note in the place of the rows of a stretch of slots: all of it or nothing, and nothing
   * if they are not the rows that were read, or the term is over.
   *
   * @return whether it was done
   */
  boolean fold(Fold fold);

  /**
   * How the settled slots stand.
   *
   * @param lastSlot the last settled one
   * @param firstSlot below it objects may have expired
   * @param asked the slot by whose row is told whether this is still the server that it was planned
   *     on; {@code lastSlot} if there is none
   * @param rebasedSlot up to it windows are another server's
   * @param chain of the slots that are folded
   * @param position behind them; null if windows do not tell
   */
  record SlotsStanding(
      long lastSlot,
      long firstSlot,
      long asked,
      long rebasedSlot,
      SlotChain chain,
      @Nullable Position position) {

    /** The last slot that nobody asks for any more, by what the table's leaves still have. */
    long mayFoldUpTo(TableState table) {
      return Math.min(table.firstSlotWithRows(), Math.min(asked, lastSlot)) - 1;
    }
  }

  /**
   * A row of {@code slots}.
   *
   * @param after the position behind the slot; null if it was adopted by rows, or if its window is
   *     another server's
   */
  record SlotRow(long slot, String sha256, long rows, long bytes, @Nullable Position after) {}

  /**
   * What to do at once.
   *
   * @param after the last slot that was folded before
   * @param chain with the slots that are folded now
   * @param position behind them
   * @param rows how many rows of {@code slots} go
   * @param superfluous last slots of notes that are not needed beside this one
   */
  record Fold(
      long after, SlotChain chain, @Nullable Position position, int rows, List<Long> superfluous) {}
}
