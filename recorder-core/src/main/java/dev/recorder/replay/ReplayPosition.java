package dev.recorder.replay;

import dev.recorder.slotlog.WindowPart;
import org.jspecify.annotations.Nullable;

/**
 * How far a log is replayed: always to the end of a window, and so of a slot.
 *
 * @param nextSlot the slot to continue with
 * @param window of the slot before, as its object states it; null at the beginning, and after an
 *     object that does not state it
 */
public record ReplayPosition(long nextSlot, @Nullable WindowPart window) {
  public ReplayPosition {
    if (nextSlot < 1) {
      throw new IllegalArgumentException("slots count from 1: " + nextSlot);
    }
  }

  /** Before the first row of {@code slot}, without knowledge of earlier slots. */
  public static ReplayPosition of(long slot) {
    return new ReplayPosition(slot, null);
  }
}
