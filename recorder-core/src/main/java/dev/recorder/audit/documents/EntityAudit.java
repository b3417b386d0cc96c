package dev.recorder.audit.documents;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.Tally;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.logging.Plurals;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.EntityKey;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.List;

/**
 * Examines the entities of one recorder, one after the other, while requests may be processed. An
 * entity that is processed meanwhile is examined up to {@value #LOOKS} times, and then left out.
 * Used once.
 */
final class EntityAudit {
  private static final int PAGE = 500;
  private static final int LOOKS = 3;

  /**
   * The memory of a document in multiples of its size: as received, as text, and parsed, which
   * takes the most.
   */
  static final int COPIES = 8;

  private final ObjectStore store;
  private final DocumentLayout layout;
  private final RequestRecords records;
  private final long largest;
  private final Tally tally = new Tally();

  /**
   * Creates an audit.
   *
   * @param largest the largest object that may be a document, in bytes
   */
  EntityAudit(ObjectStore store, DocumentLayout layout, RequestRecords records, long largest) {
    this.store = store;
    this.largest = largest;
    this.layout = layout;
    this.records = records;
  }

  /** Examines an entity once. */
  @FunctionalInterface
  interface EntityLook {
    /** Examines an entity; returns whether it was at rest, so that the result holds. */
    boolean at(String entity) throws UnreadableSlotException;
  }

  /** The counter of faults. */
  Tally tally() {
    return tally;
  }

  /**
   * Examines every entity.
   *
   * @param limits which checks are left out, for a note; empty if none
   */
  AuditResult verify(EntityLook look, String limits) throws UnreadableSlotException {
    long moving = 0;
    List<String> page = records.entities(null, PAGE);
    while (!page.isEmpty()) {
      for (String entity : page) {
        moving += standsStill(entity, look) ? 0 : 1;
      }
      page = records.entities(page.get(page.size() - 1), PAGE);
    }
    if (!limits.isEmpty()) {
      tally.note(limits);
    }
    if (moving > 0) {
      tally.note(
          Plurals.of(moving, "entity was", "entities were") + " being worked on, and not compared");
    }
    return tally.verdict(layout.recorder().value());
  }

  private static boolean standsStill(String entity, EntityLook look)
      throws UnreadableSlotException {
    for (int i = 1; i <= LOOKS; i++) {
      if (look.at(entity)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads an entity's object, unless the object is larger than any document. If the entity's id
   * makes no key, there is no object.
   *
   * @throws UnreadableSlotException if the store does not answer
   * @throws UnfinishedException if this process lacks the memory for a document of that size
   */
  ObjectStore.GetAnswer get(String entity) throws UnreadableSlotException {
    if (!(layout.key(entity) instanceof EntityKey.Usable usable)) {
      return new ObjectStore.Absent();
    }
    long room = MemoryBudget.mostAlone() / COPIES;
    ObjectStore.GetAnswer answer = store.get(usable.key(), Math.min(largest, room));
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new UnreadableSlotException(unclear);
    } else if (answer instanceof ObjectStore.NotRead object && object.bytes() <= largest) {
      throw new UnfinishedException(
          "object %s takes %d MiB while it is looked at, and this process has %d MiB for that: give it a larger heap (-Xmx)"
              .formatted(usable.key(), (COPIES * object.bytes()) >> 20, (COPIES * room) >> 20));
    }
    return answer;
  }

  /** Reports an object that is too large to be a document, whoever wrote it. */
  void tooLarge(String entity, ObjectStore.NotRead object) {
    tally.slots++;
    tally.hashMismatch(
        "entity '%s': object %s is no document: it has %d bytes, and %d are the most for one; if max_payload was larger when it was written, raise it"
            .formatted(entity, key(entity), object.bytes(), largest));
  }

  private String key(String entity) {
    return layout.key(entity) instanceof EntityKey.Usable usable ? usable.key() : "";
  }
}
