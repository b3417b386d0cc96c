package dev.recorder.slotlog;

import dev.recorder.handoff.Position;

/**
 * What the recorder's row says of its log.
 *
 * @param lastSlot the last settled slot, 0 before the first
 * @param firstSlot the floor: objects below may have been expired by their owner
 * @param chain of the contents of slots 1..lastSlot
 * @param position how far the hand-off table is recorded by slots 1..lastSlot
 */
public record LogHead(long lastSlot, long firstSlot, LogChain chain, Position position) {
  /** The head once {@code content}, the next slot, is settled. */
  public LogHead after(SlotContent content) {
    if (content.slot() != lastSlot + 1) {
      throw new IllegalStateException("slot " + content.slot() + " does not follow " + lastSlot);
    }
    return new LogHead(content.slot(), firstSlot, chain.then(content.sha256()), content.after());
  }

  /**
   * The head once {@code object}, the next slot, is settled, whoever wrote it: what the object says
   * of its own chain is not believed.
   */
  public LogHead adopting(ObjectMetadata object, Position after) {
    return new LogHead(object.slot(), firstSlot, chain.then(object.sha256()), after);
  }
}
