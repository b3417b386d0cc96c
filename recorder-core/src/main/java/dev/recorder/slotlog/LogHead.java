package dev.recorder.slotlog;

import dev.recorder.handoff.Position;

/**
 * The state of a log as its recorder's row has it.
 *
 * @param lastSlot the last settled slot, 0 before the first
 * @param firstSlot the floor; the bucket's owner may have let objects below it expire
 * @param chain the chain of the contents of slots 1..lastSlot
 * @param position how far the hand-off table is recorded by slots 1..lastSlot
 */
public record LogHead(long lastSlot, long firstSlot, LogChain chain, Position position) {
  /** Returns the head after {@code content}, the next slot, is settled. */
  public LogHead after(SlotContent content) {
    if (content.slot() != lastSlot + 1) {
      throw new IllegalStateException("slot " + content.slot() + " does not follow " + lastSlot);
    }
    return new LogHead(content.slot(), firstSlot, chain.then(content.sha256()), content.after());
  }

  /**
   * Returns the head after {@code object}, the next slot, is adopted. The chain is computed from
   * the object's hash, and the object's own chain is ignored.
   */
  public LogHead adopting(ObjectMetadata object, Position after) {
    return new LogHead(object.slot(), firstSlot, chain.then(object.sha256()), after);
  }
}
