package dev.recorder.slotlog;

import dev.recorder.handoff.Term;
import dev.recorder.slotlog.Event.StoreEvent;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity;
import java.util.Map;
import java.util.Optional;

/**
 * The store side of one term of one log: its slots and its identity object in a bucket.
 *
 * <p>Thread-safe if the bucket is.
 */
public final class SlotStore {
  private final ObjectStore bucket;
  private final LogLayout layout;
  private final Term term;

  public SlotStore(ObjectStore bucket, LogLayout layout, Term term) {
    this.bucket = bucket;
    this.layout = layout;
    this.term = term;
  }

  /**
   * PUTs a slot if no object has its key.
   *
   * @param chain the chain up to and including this slot
   */
  public StoreEvent put(SlotContent content, LogChain chain) {
    ObjectStore.PutAnswer answer =
        bucket.putIfAbsent(
            layout.slotKey(content.slot()), content.body(), metadata(content, chain).asMap());
    if (answer instanceof ObjectStore.Created) {
      return new Event.PutCreated();
    }
    return answer instanceof ObjectStore.Unclear unclear
        ? new Event.StoreUnclear(unclear.reason() + remedyOfSize(unclear, content))
        : new Event.PutAlreadyThere();
  }

  /** Returns the remedy if the object is too large: a slot can be made smaller, a row cannot. */
  private String remedyOfSize(ObjectStore.Unclear unclear, SlotContent content) {
    SlotContent.Extent extent = content.extent();
    if (unclear.cause() != ObjectStore.RefusalCause.TOO_LARGE) {
      return "";
    }
    return extent.rows() == 1
        ? ". It is one row alone: id %d of recorder %s, %d bytes as a line"
            .formatted(extent.lastId(), layout.recorder(), content.bytes())
        : ". It has %d rows of recorder %s, %d bytes as lines: a smaller rotate_bytes, and a"
                .formatted(extent.rows(), layout.recorder(), content.bytes())
            + " restart, make smaller objects";
  }

  private ObjectMetadata metadata(SlotContent content, LogChain chain) {
    return new ObjectMetadata(
        layout.recorder().value(),
        term.log(),
        content.slot(),
        term.epoch(),
        term.machine(),
        content.extent().rows(),
        content.sha256(),
        chain,
        content.origin().database(),
        WindowPart.of(content.window()),
        content.readAt());
  }

  /** Looks whether a slot is in the store, and to which log it belongs. */
  public StoreEvent look(long slot) {
    String key = layout.slotKey(slot);
    ObjectStore.HeadAnswer answer = bucket.head(key);
    if (answer instanceof ObjectStore.Present present) {
      return recognise(slot, key, present.metadata());
    }
    return answer instanceof ObjectStore.Unclear unclear
        ? new Event.StoreUnclear(unclear.reason())
        : new Event.Missing();
  }

  private StoreEvent recognise(long slot, String key, Map<String, String> metadata) {
    Optional<ObjectMetadata> object = ObjectMetadata.from(metadata);
    if (object.isEmpty()) {
      return new Event.IdentityWrong(
          "object "
              + key
              + " was not written by a recorder (its metadata are missing or malformed)");
    }
    if (!object.get().log().equals(term.log()) || object.get().slot() != slot) {
      return new Event.IdentityWrong(
          "object "
              + key
              + " belongs to slot "
              + object.get().slot()
              + " of log "
              + object.get().log()
              + ", this database's log is "
              + term.log());
    }
    return new Event.Found(object.get());
  }

  /** Checks whether the store has this log. */
  public StoreEvent checkIdentity() {
    StoreIdentity.Recognition verdict = layout.identity(term.log()).check(bucket);
    return switch (verdict.kind()) {
      case RIGHT -> new Event.IdentityRight();
      case WRONG, MISSING -> new Event.IdentityWrong(verdict.why());
      case UNCLEAR -> new Event.StoreUnclear(verdict.why());
    };
  }
}
