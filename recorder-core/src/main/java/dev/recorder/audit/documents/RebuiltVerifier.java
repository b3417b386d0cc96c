package dev.recorder.audit.documents;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.Tally;
import dev.recorder.audit.documents.RequestRecords.RecordedRequest;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.requests.document.DocumentModel;
import dev.recorder.requests.document.RebuiltDocument;
import dev.recorder.requests.document.StoredDocument;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proves documents against the query that builds them: without open requests, each document is the
 * query's present result. It only reads, and may run while requests are processed. An entity with
 * an open request is examined again, and left out if it always has one.
 */
public final class RebuiltVerifier {
  private final EntityAudit audit;
  private final EntityRecords records;
  private final boolean allKept;
  private final Tally tally;

  /**
   * Creates a verifier for one recorder; it is used once.
   *
   * @param allKept whether all complete requests are still in the table; if not, only entities with
   *     requests in the table are examined
   * @param documentBytes the largest size of a document's text
   */
  public RebuiltVerifier(
      ObjectStore store,
      DocumentLayout layout,
      EntityRecords records,
      boolean allKept,
      long documentBytes) {
    this.audit =
        new EntityAudit(store, layout, records, DocumentLimits.readableBytes(documentBytes));
    this.records = records;
    this.allKept = allKept;
    this.tally = audit.tally();
  }

  /**
   * Examines every entity. In the result, slots are documents and rows are complete requests; a
   * document that differs from the query's result counts as a hash mismatch.
   *
   * @throws UnreadableSlotException if the store does not answer
   */
  public AuditResult verify() throws UnreadableSlotException {
    return audit.verify(
        this::look,
        allKept ? "" : "history is set: entities without requests in the table were not looked at");
  }

  private boolean look(String entity) throws UnreadableSlotException {
    EntityRecords.EntitySnapshot state = records.state(entity);
    if (has(state.rows(), RequestStatus.NEW)) {
      return false;
    }
    ObjectStore.GetAnswer answer = audit.get(entity);
    // A later change of the data has inserted a request in the same transaction.
    boolean stands = records.of(entity).equals(state.rows());
    if (stands) {
      compare(entity, state, answer);
    }
    return stands;
  }

  private static boolean has(List<RecordedRequest> rows, RequestStatus status) {
    return rows.stream().anyMatch(row -> row.status() == status);
  }

  private void compare(
      String entity, EntityRecords.EntitySnapshot state, ObjectStore.GetAnswer answer) {
    long complete =
        state.rows().stream().filter(row -> row.status() == RequestStatus.COMPLETE).count();
    boolean hasErrors = has(state.rows(), RequestStatus.ERROR);
    tally.rows += complete;
    if (answer instanceof ObjectStore.NotRead object) {
      audit.tooLarge(entity, object);
    } else if (answer instanceof ObjectStore.Body body) {
      tally.slots++;
      if (!state.fault().isEmpty()) {
        tally.note("entity '%s' was not compared: %s".formatted(entity, state.fault()));
        return;
      }
      tally.compared += complete;
      if (!isRight(state.document(), body)) {
        differs(entity, hasErrors);
      }
    } else if (complete > 0) {
      tally.lost(
          complete,
          "entity '%s' has %d complete requests and no object".formatted(entity, complete));
    }
  }

  private void differs(String entity, boolean hasErrors) {
    if (hasErrors) {
      tally.note(
          "entity '%s' has requests in status error, and its document is older than its rows; 'recorder requests retry' has it rebuilt"
              .formatted(entity));
    } else {
      tally.hashMismatch(
          "entity '%s': its object is not what the query says now; a table that the query reads may not be captured"
              .formatted(entity));
    }
  }

  private static boolean isRight(@Nullable String document, ObjectStore.Body body) {
    boolean isGone = RebuiltDocument.saysGone(body.metadata());
    if (document == null || isGone) {
      return document == null && isGone;
    }
    Optional<StoredDocument> stored = StoredDocument.read(body.bytes(), body.metadata());
    return stored.isPresent() && isSame(document, stored.get().text());
  }

  private static boolean isSame(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    try {
      return DocumentModel.of(one, List.of()).isSaidBy(other);
    } catch (IllegalArgumentException notToBeRead) {
      return false;
    }
  }
}
