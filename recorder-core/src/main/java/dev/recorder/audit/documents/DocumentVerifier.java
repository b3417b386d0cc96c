package dev.recorder.audit.documents;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.Tally;
import dev.recorder.audit.documents.RequestRecords.RecordedRequest;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.requests.document.DocumentModel;
import dev.recorder.requests.document.DocumentStamp;
import dev.recorder.requests.document.StoredDocument;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Proves documents against the requests that made them: each complete request has taken effect, in
 * order and once, and nothing else has. It only reads, and may run while requests are processed. An
 * entity that changes is examined again, and left out if it keeps changing.
 */
public final class DocumentVerifier {
  private final EntityAudit audit;
  private final RequestRecords records;
  private final boolean allKept;
  private final Tally tally;

  /**
   * Creates a verifier for one recorder; it is used once.
   *
   * @param allKept whether all complete requests are still in the table ({@code history} is not
   *     set); if not, only the existence of documents is checked
   * @param documentBytes the largest size of a document's text
   */
  public DocumentVerifier(
      ObjectStore store,
      DocumentLayout layout,
      RequestRecords records,
      boolean allKept,
      long documentBytes) {
    this.audit =
        new EntityAudit(store, layout, records, DocumentLimits.readableBytes(documentBytes));
    this.records = records;
    this.allKept = allKept;
    this.tally = audit.tally();
  }

  /** Returns the most memory that one document takes. */
  public static long need(long documentBytes) {
    return EntityAudit.COPIES * DocumentLimits.readableBytes(documentBytes);
  }

  /**
   * Examines every entity. In the result, slots are documents and rows are complete requests; a
   * document that its requests do not produce counts as a hash mismatch.
   *
   * @throws UnreadableSlotException if the store does not answer
   */
  public AuditResult verify() throws UnreadableSlotException {
    return audit.verify(
        this::look, allKept ? "" : "history is set: what the documents say was not compared");
  }

  private boolean look(String entity) throws UnreadableSlotException {
    List<RecordedRequest> rows = records.of(entity);
    if (rows.stream().noneMatch(DocumentVerifier::isComplete)) {
      return true;
    }
    ObjectStore.GetAnswer answer = audit.get(entity);
    List<RecordedRequest> inDoubt =
        named(answer, rows).stream().filter(row -> !isComplete(row)).toList();
    boolean stands =
        inDoubt.stream().allMatch(row -> row.status() == RequestStatus.ERROR)
            && records.of(entity).equals(rows);
    if (stands) {
      compare(entity, rows, inDoubt, answer);
    }
    return stands;
  }

  private static boolean isComplete(RecordedRequest row) {
    return row.status() == RequestStatus.COMPLETE;
  }

  /** Returns the requests of the object's last write; some may not be complete yet, or never. */
  private static List<RecordedRequest> named(
      ObjectStore.GetAnswer answer, List<RecordedRequest> rows) {
    return answer instanceof ObjectStore.Body body
        ? DocumentStamp.from(body.metadata()).map(stamp -> named(stamp, rows)).orElse(List.of())
        : List.of();
  }

  private static List<RecordedRequest> named(DocumentStamp stamp, List<RecordedRequest> rows) {
    Set<Long> ids = Set.copyOf(stamp.applied().ids());
    List<RecordedRequest> named = rows.stream().filter(row -> ids.contains(row.id())).toList();
    // Otherwise other requests have these ids.
    boolean areTheSame = named.stream().mapToLong(RecordedRequest::digest).sum() == stamp.digest();
    return areTheSame ? named : List.of();
  }

  private void compare(
      String entity,
      List<RecordedRequest> rows,
      List<RecordedRequest> inDoubt,
      ObjectStore.GetAnswer answer) {
    List<RecordedRequest> complete = rows.stream().filter(DocumentVerifier::isComplete).toList();
    tally.rows += complete.size();
    inDoubt.forEach(
        row ->
            tally.note(
                "request %d of entity '%s' is in status error and has taken effect; it becomes"
                        .formatted(row.id(), entity)
                    + " complete when the entity is next worked on"));
    if (answer instanceof ObjectStore.NotRead object) {
      audit.tooLarge(entity, object);
      return;
    }
    if (!(answer instanceof ObjectStore.Body body)) {
      tally.lost(
          complete.size(),
          "entity '%s' has %d complete requests and no object".formatted(entity, complete.size()));
      return;
    }
    tally.slots++;
    if (!allKept) {
      return;
    }
    tally.compared += complete.size();
    Optional<StoredDocument> document = StoredDocument.read(body.bytes(), body.metadata());
    if (document.isEmpty() || !isRight(complete, inDoubt, document.get().text())) {
      tally.hashMismatch(
          "entity '%s': its object is not what its %d complete requests make it"
              .formatted(entity, complete.size()));
    }
  }

  private static boolean isRight(
      List<RecordedRequest> complete, List<RecordedRequest> inDoubt, String text) {
    List<DocumentModel.Update> updates =
        Stream.concat(
                updates(complete, RecordedRequest::fence),
                // They are of the last write, so after all settled ones; -1 is the highest unsigned
                // number.
                updates(inDoubt, row -> -1))
            .toList();
    Optional<RecordedRequest> create =
        Stream.concat(complete.stream(), inDoubt.stream())
            .filter(row -> row.type() == RequestType.CREATE)
            .findFirst();
    // Without a create, the object's earlier content is unknown. But if all updates are in it,
    // applying them again changes nothing.
    String start = create.isPresent() ? create.get().payload() : text;
    try {
      return DocumentModel.of(start, updates).isSaidBy(text);
    } catch (IllegalArgumentException notToBeRead) {
      // The object is damaged, or a request was completed that the built-in handler would not
      // complete.
      return false;
    }
  }

  private static Stream<DocumentModel.Update> updates(
      List<RecordedRequest> rows, ToLongFunction<RecordedRequest> fence) {
    return rows.stream()
        .filter(row -> row.type() == RequestType.UPDATE)
        .map(row -> new DocumentModel.Update(fence.applyAsLong(row), row.id(), row.payload()));
  }
}
