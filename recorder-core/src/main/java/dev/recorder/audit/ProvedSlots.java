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
 * Reads a slot's lines for a proof. The object is read once there is room for it, and checked
 * against its own metadata and the slot's rows in {@code slots}. For one thread.
 */
final class ProvedSlots {
  private final LogRecords records;
  private final SlotObjects objects;
  private final Integrity integrity;

  /** No slot below this one has a row in slots. */
  private long plansFrom;

  /** Creates a reader of a log's slots. */
  ProvedSlots(LogRecords records, SlotObjects objects, UUID log) {
    this.records = records;
    this.objects = objects;
    this.integrity = new Integrity(objects.layout(), log);
    this.plansFrom = records.plansFrom();
  }

  /**
   * The content of a slot.
   *
   * @param plans its rows in {@code slots}
   * @param object null if there is none, or if it is no slot
   * @param fault the fault of an existing object, in one sentence; null if there is none
   */
  record SlotReading(List<SlotPlan> plans, @Nullable SlotObject object, @Nullable String fault) {
    /** Whether there is no object. */
    boolean isMissing() {
      return object == null && fault == null;
    }
  }

  /** The first slot that has a row in {@code slots}, as last seen. */
  long plansFrom() {
    return plansFrom;
  }

  /** The object's name in findings. */
  String name(long slot) {
    return "object " + objects.layout().slotKey(slot);
  }

  /**
   * Reads a slot.
   *
   * @param kept bytes that are held in memory beside the object
   * @throws UnreadableSlotException if the store does not answer
   * @throws UnfinishedException if there is no room
   */
  SlotReading read(long slot, long kept) throws UnreadableSlotException {
    List<SlotPlan> plans = slot < plansFrom ? List.of() : records.plans(slot);
    if (plans.isEmpty() && slot >= plansFrom) {
      plansFrom = records.plansFrom(); // Rows of slots may be deleted while this runs.
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
