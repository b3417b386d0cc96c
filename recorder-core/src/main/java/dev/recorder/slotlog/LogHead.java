package dev.recorder.slotlog;

import dev.recorder.handoff.Position;

/**
 * What the recorder's row says of its log.
 *
 * @param lastSlot the last settled slot, 0 before the first
 * @param firstSlot the floor: objects below may have been expired by their owner
 * @param position how far the hand-off table is recorded by slots 1..lastSlot
 */
public record LogHead(long lastSlot, long firstSlot, Position position) {
  /** The head once {@code content}, the next slot, is settled. */
  public LogHead after(SlotContent content) {
    if (content.slot() != lastSlot + 1) {
      throw new IllegalStateException("slot " + content.slot() + " does not follow " + lastSlot);
    }
    return new LogHead(content.slot(), firstSlot, content.after());
  }
}
