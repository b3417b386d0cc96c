package dev.recorder.replay;

import dev.recorder.slotlog.WindowPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ends of a log's windows, slot by slot.
 *
 * <p>After a replay up to the end of a window, the tables are as they were at one moment. In the
 * middle of a window, a change may be there although an earlier change is missing. If several
 * windows are applied together, the tables are as of one moment at the end of the last. So a slot
 * that does not state its window, or whose window breaks off, counts as the middle of a window: it
 * is applied together with the following slots, up to a slot that ends a window.
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
   * @param window the slot's window; null if its object does not state it
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

  /**
   * Notes that no slot from {@code slot} on is replayed. Its window may tell that the last window
   * has ended before it.
   */
  void isFollowedBy(long slot, @Nullable WindowPart window) {
    WindowPart last = before;
    if (last != null && !last.ends() && last.isEndedBefore(window)) {
      end = new ReplayPosition(slot, last); // No slot of the window states its end.
    }
  }

  /** Returns the end of the last window. */
  ReplayPosition end() {
    return end;
  }

  /** Returns whether a window has ended since the last call of {@link #applied}. */
  boolean hasEnded() {
    return end.nextSlot() > applied.nextSlot();
  }

  /** Notes that everything up to {@link #end} is applied. */
  void applied() {
    applied = end;
  }

  /** Returns the number of slots after the end of the last window. */
  long open() {
    return seen + 1 - end.nextSlot();
  }

  /**
   * Returns the slots before which the database had lost commits: they do not continue where the
   * slot before ended. The effects of the lost transactions remain in the tables.
   */
  List<Long> stepsBefore() {
    return List.copyOf(steps);
  }
}
