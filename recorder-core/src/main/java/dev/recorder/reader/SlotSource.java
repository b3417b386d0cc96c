package dev.recorder.reader;

import dev.recorder.logging.Plurals;
import dev.recorder.reader.LogReadException.LogReadErrorKind;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.Content;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads slots of one log, and checks that each object was written for this log and slot.
 * Thread-safe.
 */
final class SlotSource {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final SlotReader reader;
  private volatile @Nullable UUID log;

  /**
   * @param log the log's UUID; null for the one in the bucket
   */
  SlotSource(ObjectStore bucket, LogLayout layout, @Nullable UUID log) {
    this.bucket = bucket;
    this.layout = layout;
    this.reader = new SlotReader(bucket, layout);
    this.log = log;
  }

  /** Reads and checks a slot; empty if there is no such object. */
  Optional<LogSlot> get(long slot) {
    try {
      return reader.readContent(slot).map(content -> checked(slot, content));
    } catch (UnreadableSlotException e) {
      LogReadErrorKind kind =
          e.lacksRights()
              ? LogReadErrorKind.RIGHTS
              : e.isUnreachable() ? LogReadErrorKind.UNREACHABLE : LogReadErrorKind.DAMAGED;
      throw new LogReadException(kind, String.valueOf(e.getMessage()), e.isTemporary());
    }
  }

  private LogSlot checked(long slot, Content content) {
    ObjectMetadata metadata = checked(slot, content.metadata().orElse(null));
    if (!metadata.sha256().equals(content.sha256())) {
      throw fault(
          LogReadErrorKind.DAMAGED,
          slot,
          "was changed: its content has another SHA-256 than its metadata say");
    }
    byte[] lines = content.lines();
    if (lines.length == 0 || lines[lines.length - 1] != '\n') {
      throw fault(LogReadErrorKind.DAMAGED, slot, "does not end with a whole row");
    }
    return LogSlot.of(slot, lines, metadata);
  }

  /** Returns whether the object exists, whatever its content. */
  boolean isThere(long slot) {
    return head(slot) instanceof ObjectStore.Present;
  }

  private ObjectStore.HeadAnswer head(long slot) {
    ObjectStore.HeadAnswer answer = bucket.head(layout.slotKey(slot));
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw unclear(unclear);
    }
    return answer;
  }

  /** Reads and checks the metadata of a slot's object; empty if there is no such object. */
  Optional<ObjectMetadata> metadata(long slot) {
    return head(slot) instanceof ObjectStore.Present present
        ? Optional.of(checked(slot, ObjectMetadata.from(present.metadata()).orElse(null)))
        : Optional.empty();
  }

  private ObjectMetadata checked(long slot, @Nullable ObjectMetadata metadata) {
    if (metadata == null || !metadata.log().equals(log) || metadata.slot() != slot) {
      throw fault(LogReadErrorKind.FOREIGN, slot, "is not this log's slot " + slot);
    }
    return metadata;
  }

  /** Returns the UUID of the log in the bucket. */
  UUID named() {
    return named(identityObject());
  }

  private ObjectStore.GetAnswer identityObject() {
    ObjectStore.GetAnswer answer = StoreIdentity.read(bucket, layout.identityKey());
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw unclear(unclear);
    }
    return answer;
  }

  /**
   * Checks that the bucket has this log, or takes the log's UUID from the bucket. Always returns
   * true.
   */
  boolean identify() {
    ObjectStore.GetAnswer answer = identityObject();
    UUID known = log;
    if (known == null) {
      log = named(answer);
      return true;
    }
    StoreIdentity.Recognition verdict = layout.identity(known).recognise(answer);
    if (verdict.kind() != StoreIdentity.IdentityKind.RIGHT) {
      throw new LogReadException(LogReadErrorKind.FOREIGN, verdict.why());
    }
    return true;
  }

  private UUID named(ObjectStore.GetAnswer answer) {
    return StoreIdentity.named(answer)
        .orElseThrow(
            () ->
                new LogReadException(
                    LogReadErrorKind.FOREIGN,
                    "bucket %s has no log of recorder %s: there is no readable object %s; correct"
                            .formatted(layout.bucket(), layout.recorder(), layout.identityKey())
                        + " bucket or prefix, or wait until a host has created the log"));
  }

  /** Returns the message for a slot that was not written after the present slot before it. */
  String broken(long slot) {
    return "slot %d of %s does not follow slot %d: an object was replaced or deleted; 'recorder verify %s' tells more"
        .formatted(slot, layout.recorder(), slot - 1, layout.recorder());
  }

  LogReadException missing(long slot) {
    return fault(LogReadErrorKind.MISSING, slot, "is missing");
  }

  LogReadException expired(long slot, long first) {
    return new LogReadException(
        LogReadErrorKind.MISSING,
        """
        the log of %s begins with slot %d: slot %d, which would be read next, has expired, and \
        what it held is lost to this reader; begin again with slot %d\
        """
            .formatted(layout.recorder(), first, slot, first));
  }

  LogReadException noSuchRow(ReaderPosition position, int rows) {
    return new LogReadException(
        LogReadErrorKind.NO_SUCH_ROW,
        "slot %d of %s has %s: there is no position %s"
            .formatted(position.slot(), layout.recorder(), Plurals.rows(rows), position));
  }

  private LogReadException fault(LogReadErrorKind kind, long slot, String what) {
    return new LogReadException(
        kind,
        "object %s in bucket %s %s; 'recorder verify %s' tells what is lost"
            .formatted(layout.slotKey(slot), layout.bucket(), what, layout.recorder()));
  }

  private static LogReadException unclear(ObjectStore.Unclear unclear) {
    return new LogReadException(
        unclear.rights() ? LogReadErrorKind.RIGHTS : LogReadErrorKind.UNREACHABLE,
        unclear.reason(),
        unclear.remediable());
  }
}
