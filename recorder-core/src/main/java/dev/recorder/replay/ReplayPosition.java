package dev.recorder.replay;

import dev.recorder.slotlog.WindowPart;
import org.jspecify.annotations.Nullable;

/**
 * The position up to which a log is replayed: always the end of a window, and so of a slot.
 *
 * @param nextSlot the slot to continue with
 * @param window the window of the slot before {@code nextSlot}, as its object states it; null at
 *     the beginning, and after an object that does not state its window
 */
public record ReplayPosition(long nextSlot, @Nullable WindowPart window) {
  public ReplayPosition {
    if (nextSlot < 1) {
      throw new IllegalArgumentException("slots count from 1: " + nextSlot);
    }
  }

  /**
   * Returns the position before the first row of {@code slot}, without knowledge of earlier slots.
   */
  public static ReplayPosition of(long slot) {
    return new ReplayPosition(slot, null);
  }
}
