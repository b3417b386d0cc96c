package dev.recorder.replay;

import dev.recorder.slotlog.WindowPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the windows of a log end, told slot by slot.
 *
 * <p>What was replayed up to a window's end is the tables as they were at a moment; in the middle
 * of a window a change may be missing that came before one that is there. Of several windows that
 * are taken together the same holds at the end of the last. So where a slot says nothing of its
 * window, or where one breaks off, that counts as its middle: it is taken together with what
 * follows, up to a slot that says that its window ends.
 *
 * <p>Pure. For one thread.
 */
final class Windows {
  private final List<Long> steps = new ArrayList<>();
  private ReplayPosition applied;
  private ReplayPosition end;
  private @Nullable WindowPart before;
  private long seen;

  /** Goes on behind {@code from}. */
  Windows(ReplayPosition from) {
    applied = from;
    end = from;
    before = from.window();
    seen = from.nextSlot() - 1;
  }

  /**
   * Takes note of the next slot.
   *
   * @param window what it says of its window; null if it says nothing
   */
  void add(long slot, @Nullable WindowPart window) {
    if (slot != seen + 1) {
      throw new IllegalArgumentException("slot " + slot + " does not follow " + seen);
    }
    WindowPart last = before;
    if (last != null && window != null) {
      if (!last.isContinuedBy(window)) {
        steps.add(slot);
      } else if (!last.ends() && window.from().equals(last.to())) {
        end = new ReplayPosition(slot, last); // It ended without a slot that said so.
      }
    }
    if (window != null && window.ends()) {
      end = new ReplayPosition(slot + 1, window);
    }
    before = window;
    seen = slot;
  }

  /** Where the last window ended. */
  ReplayPosition end() {
    return end;
  }

  /** Whether a window has ended since {@link #applied}. */
  boolean hasEnded() {
    return end.nextSlot() > applied.nextSlot();
  }

  /** All up to {@link #end} is replayed. */
  void applied() {
    applied = end;
  }

  /** How many slots there are behind the end of the last window. */
  long open() {
    return seen + 1 - end.nextSlot();
  }

  /**
   * Slots before which the database had lost commits: they do not go on where the slot before them
   * ended. What the lost transactions did is in the tables all the same.
   */
  List<Long> stepsBefore() {
    return List.copyOf(steps);
  }
}
