package dev.recorder.audit;

import dev.recorder.audit.objects.Integrity;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Checks whether objects that were read earlier still exist, by one request each for their
 * metadata. For one thread.
 */
public final class ObjectPresence {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final LogRecords records;
  private final BooleanSupplier goesOn;

  /**
   * Creates a check.
   *
   * @param goesOn polled before each object; if false, the result is false
   */
  public ObjectPresence(
      ObjectStore bucket, LogLayout layout, LogRecords records, BooleanSupplier goesOn) {
    this.bucket = bucket;
    this.layout = layout;
    this.records = records;
    this.goesOn = goesOn;
  }

  /**
   * Whether each slot has the object that its row in {@code slots} names; slots whose rows are
   * deleted are skipped.
   *
   * @throws UnreadableSlotException if the store does not answer
   */
  public boolean isWhole(long from, long upTo) throws UnreadableSlotException {
    UUID log = records.settled().log();
    boolean whole = true;
    for (long slot = Math.max(from, records.plansFrom()); whole && slot <= upTo; slot++) {
      whole = goesOn.getAsBoolean() && isThere(slot, log);
    }
    return whole;
  }

  private boolean isThere(long slot, UUID log) throws UnreadableSlotException {
    ObjectStore.HeadAnswer answer = bucket.head(layout.slotKey(slot));
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new UnreadableSlotException(unclear);
    }
    return answer instanceof ObjectStore.Present present
        && ObjectMetadata.from(present.metadata())
            .filter(object -> object.log().equals(log) && object.slot() == slot)
            .filter(object -> Integrity.withHash(object.sha256(), records.plans(slot)) != null)
            .isPresent();
  }
}
