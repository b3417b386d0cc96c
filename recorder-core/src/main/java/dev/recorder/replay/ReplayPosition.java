package dev.recorder.replay;

import dev.recorder.slotlog.WindowPart;
import org.jspecify.annotations.Nullable;

/**
 * How far a log is replayed: always to the end of a window, and so of a slot.
 *
 * @param nextSlot the slot to go on with
 * @param window what the slot before it says of its window; null at the beginning, and behind an
 *     object that says nothing
 */
public record ReplayPosition(long nextSlot, @Nullable WindowPart window) {
  public ReplayPosition {
    if (nextSlot < 1) {
      throw new IllegalArgumentException("slots count from 1: " + nextSlot);
    }
  }

  /** Before the first row of {@code slot}, whatever came before. */
  public static ReplayPosition of(long slot) {
    return new ReplayPosition(slot, null);
  }
}
