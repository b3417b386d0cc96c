package dev.recorder.audit;

import dev.recorder.audit.objects.Integrity;
import dev.recorder.audit.objects.SlotObject;
import dev.recorder.audit.objects.SlotObjects;
import dev.recorder.audit.objects.SlotObjects.DamagedException;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.objects.SlotSize;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * From a slot to its lines, for whoever proves: the object is read once there is room for it, and
 * held against its own metadata and the slot's rows in {@code slots}. For one thread.
 */
final class ProvedSlots {
  private final LogRecords records;
  private final SlotObjects objects;
  private final Integrity integrity;

  /** Below it no slot has a row in slots. */
  private long plansFrom;

  /** Slots of a log, which have rows in {@code slots} as of now. */
  ProvedSlots(LogRecords records, SlotObjects objects, UUID log) {
    this.records = records;
    this.objects = objects;
    this.integrity = new Integrity(objects.layout(), log);
    this.plansFrom = records.plansFrom();
  }

  /**
   * What a slot has.
   *
   * @param plans its rows in {@code slots}
   * @param object null if there is none, or none that is a slot
   * @param fault what is wrong with what is there, in one sentence; null if nothing is
   */
  record SlotReading(List<SlotPlan> plans, @Nullable SlotObject object, @Nullable String fault) {
    /** Whether nothing is there. */
    boolean isMissing() {
      return object == null && fault == null;
    }
  }

  /** The first slot that has a row in {@code slots}, as it was seen last. */
  long plansFrom() {
    return plansFrom;
  }

  /** An object as faults name it. */
  String name(long slot) {
    return "object " + objects.layout().slotKey(slot);
  }

  /**
   * Reads a slot.
   *
   * @param kept what is kept in memory beside its object
   * @throws UnreadableSlotException if the store gives no answer
   * @throws UnfinishedException if there is no room
   */
  SlotReading read(long slot, long kept) throws UnreadableSlotException {
    List<SlotPlan> plans = slot < plansFrom ? List.of() : records.plans(slot);
    if (plans.isEmpty() && slot >= plansFrom) {
      plansFrom = records.plansFrom(); // It may have been deleted while this runs.
    }
    Optional<SlotObject> read;
    try {
      read = objects.read(slot, SlotSize.of(plans), kept);
    } catch (DamagedException e) {
      return new SlotReading(plans, null, String.valueOf(e.getMessage()));
    }
    if (read.isEmpty()) {
      return new SlotReading(plans, null, null);
    }
    SlotObject object = read.get();
    String fault =
        slot < plansFrom
            ? integrity.faultByItself(slot, object)
            : integrity.fault(slot, object, plans);
    return new SlotReading(plans, object, fault == null ? null : name(slot) + " " + fault);
  }
}
