package dev.recorder.app.harness;

import org.jspecify.annotations.Nullable;

/**
 * What the database says of the recorder.
 *
 * @param seenNanos when this JVM had the answer
 * @param holder the active machine; null while there is none
 * @param slotAtTakeover the last slot when the latest term began
 */
public record LogState(
    long seenNanos, @Nullable String holder, long epoch, long lastSlot, long slotAtTakeover) {

  /** Whether {@code machine} is active and has settled a slot in its term. */
  public boolean isWorking(String machine) {
    return machine.equals(holder) && lastSlot > slotAtTakeover;
  }
}
