package dev.recorder.replay;

import dev.recorder.slotlog.WindowPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ends of a log's windows, slot by slot.
 *
 * <p>Replayed up to the end of a window, the tables are as they were at a moment. In the middle of
 * a window a change may be missing that precedes one that is there. For several windows taken
 * together the same holds at the end of the last. So a slot that does not state its window, or that
 * breaks off a window, counts as the middle of one: it is taken together with the following slots,
 * up to one that ends a window.
 *
 * <p>Pure. For one thread.
 */
final class WindowEnds {
  private final List<Long> steps = new ArrayList<>();
  private ReplayPosition applied;
  private ReplayPosition end;
  private @Nullable WindowPart before;
  private long seen;

  /** Continues from {@code from}. */
  WindowEnds(ReplayPosition from) {
    applied = from;
    end = from;
    before = from.window();
    seen = from.nextSlot() - 1;
  }

  /**
   * Adds the next slot.
   *
   * @param window of the slot; null if its object does not state it
   */
  void add(long slot, @Nullable WindowPart window) {
    if (slot != seen + 1) {
      throw new IllegalArgumentException("slot " + slot + " does not follow " + seen);
    }
    WindowPart last = before;
    if (last != null && window != null) {
      if (!last.isContinuedBy(window)) {
        steps.add(slot);
      }
    }
    isFollowedBy(slot, window);
    if (window != null && window.ends()) {
      end = new ReplayPosition(slot + 1, window);
    }
    before = window;
    seen = slot;
  }

  /** The slots end before {@code slot}, which says this. */
  void isFollowedBy(long slot, @Nullable WindowPart window) {
    WindowPart last = before;
    if (last != null && !last.ends() && last.isEndedBefore(window)) {
      end = new ReplayPosition(slot, last); // It ended without a slot that states it.
    }
  }

  /** The end of the last window. */
  ReplayPosition end() {
    return end;
  }

  /** Whether a window has ended since {@link #applied}. */
  boolean hasEnded() {
    return end.nextSlot() > applied.nextSlot();
  }

  /** Everything up to {@link #end} is applied. */
  void applied() {
    applied = end;
  }

  /** The number of slots after the end of the last window. */
  long open() {
    return seen + 1 - end.nextSlot();
  }

  /**
   * Slots before which the database had lost commits: they do not continue where the slot before
   * ended. The effects of the lost transactions remain in the tables.
   */
  List<Long> stepsBefore() {
    return List.copyOf(steps);
  }
}
