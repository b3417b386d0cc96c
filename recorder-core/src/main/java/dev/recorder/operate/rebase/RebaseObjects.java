package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The log's objects, as far as a {@link Rebase} uses them; objects of another log are refused. */
record RebaseObjects(ObjectStore bucket, LogLayout layout, UUID log) {

  /** Checks that this store holds the log. */
  void check(LogHead head) {
    StoreIdentity.Recognition verdict = layout.identity(log).check(bucket);
    switch (verdict.kind()) {
      case RIGHT -> {}
      case WRONG, MISSING -> throw new DatabaseException(DatabaseErrorKind.UNUSABLE, verdict.why());
      case UNCLEAR -> throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, verdict.why());
    }
    if (head.lastSlot() >= head.firstSlot() && look(head.lastSlot()).isEmpty()) {
      throw missing(head.lastSlot());
    }
  }

  /** Returns the object of a slot, if it exists; an object of another log is refused. */
  Optional<ObjectMetadata> look(long slot) {
    String key = layout.slotKey(slot);
    ObjectStore.HeadAnswer answer = bucket.head(key);
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, unclear.reason());
    } else if (answer instanceof ObjectStore.Present present) {
      return Optional.of(
          ObjectMetadata.from(present.metadata())
              .filter(o -> o.slot() == slot && o.log().equals(log))
              .filter(o -> o.recorder().equals(layout.recorder().value()))
              .orElseThrow(
                  () ->
                      new DatabaseException(
                          DatabaseErrorKind.UNUSABLE,
                          "object " + key + " does not belong to this database's log")));
    }
    return Optional.empty();
  }

  SlotReader reader() {
    return new SlotReader(bucket, layout);
  }

  /** Returns the lines of a slot's object; empty if the object has expired. */
  Optional<List<RecordedLine>> lines(long slot, LogHead head) throws UnreadableSlotException {
    Optional<SlotReader.Slot> object = reader().read(slot);
    if (object.isEmpty() && slot >= head.firstSlot()) {
      throw missing(slot);
    }
    return object.map(SlotReader.Slot::lines);
  }

  private DatabaseException missing(long slot) {
    return new DatabaseException(
        DatabaseErrorKind.UNUSABLE,
        """
        slot %s is settled but missing in bucket %s: wrong bucket or prefix, or somebody deleted \
        it; 'recorder verify %s' tells more\
        """
            .formatted(slot, layout.bucket(), layout.recorder()));
  }
}
