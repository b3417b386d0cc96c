package dev.recorder.audit.objects;

import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotBound;
import java.util.List;

/**
 * The expected size of a slot's object, before it is read.
 *
 * @param usual expected bytes, for which there must be room
 * @param rows expected number of rows, for which there must be room
 * @param bound the limits of the slot's size
 */
public record SlotSize(long usual, long rows, SlotBound bound) {

  /** Returns the size by all plans of the slot. */
  public static SlotSize of(List<SlotPlan> plans) {
    if (plans.isEmpty()) {
      return new SlotSize(Rotation.DEFAULT.bytes(), 0, SlotBound.unplanned());
    }
    long bytes = plans.stream().mapToLong(SlotPlan::bytes).max().orElse(0);
    long rows = plans.stream().mapToLong(plan -> plan.extent().rows()).max().orElse(0);
    return new SlotSize(bytes, rows, SlotBound.planned(bytes));
  }

  /** Returns the bound of the first attempt to read it; most objects are within the usual size. */
  SlotBound first() {
    return usual < bound.bytes() ? new SlotBound(usual, bound.planned()) : bound;
  }

  /**
   * Returns the bound of the next attempt: twice as much, so that no object requests the whole
   * budget at once.
   */
  SlotBound after(SlotBound tried) {
    return new SlotBound(Math.min(bound.bytes(), 2 * Math.max(1, tried.bytes())), bound.planned());
  }

  /** Returns the memory that it takes while it is examined. */
  public long need() {
    return SlotObjects.need(usual, rows);
  }

  /**
   * Returns the memory of an object of this bound, counted without rows, since the largest bound
   * would otherwise fit no heap.
   */
  static long need(SlotBound read) {
    return SlotObjects.need(read.bytes(), 0);
  }
}
