package dev.recorder.audit.objects;

import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotBound;
import java.util.List;

/**
 * How large a slot's object is taken for before it is read.
 *
 * @param usual its bytes, for which there must be room
 * @param rows likewise
 * @param bound what it holds at most
 */
public record SlotSize(long usual, long rows, SlotBound bound) {

  /** By what was ever planned for the slot. */
  public static SlotSize of(List<SlotPlan> plans) {
    if (plans.isEmpty()) {
      return new SlotSize(Rotation.DEFAULT.bytes(), 0, SlotBound.unplanned());
    }
    long bytes = plans.stream().mapToLong(SlotPlan::bytes).max().orElse(0);
    long rows = plans.stream().mapToLong(plan -> plan.extent().rows()).max().orElse(0);
    return new SlotSize(bytes, rows, SlotBound.planned(bytes));
  }

  /** As it is read first: hardly any is larger than usual. */
  SlotBound first() {
    return usual < bound.bytes() ? new SlotBound(usual, bound.planned()) : bound;
  }

  /** As it is read if that was not enough: twice as much, so that none asks for all there is. */
  SlotBound after(SlotBound tried) {
    return new SlotBound(Math.min(bound.bytes(), 2 * Math.max(1, tried.bytes())), bound.planned());
  }

  /** How much memory it takes while it is looked at. */
  public long need() {
    return SlotObjects.need(usual, rows);
  }

  /** The same of one that has so much: at the most that there can be, no less fits any heap. */
  static long need(SlotBound read) {
    return SlotObjects.need(read.bytes(), 0);
  }
}
