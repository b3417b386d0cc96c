package dev.recorder.requests.document;

import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker.Statuses;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.NotRead;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Processes updates: reads the document, merges, and writes on the condition that its version has
 * not changed.
 *
 * <p>That version may name requests that took effect and are not complete yet. They come first,
 * provided the ids still belong to the same requests. The version is written again with the same
 * text, in this unit's name, and then those requests can be settled. After this write, a delayed
 * write of an earlier unit can no longer succeed.
 */
final class UpdateProcessing {
  private final DocumentObject object;
  private final WorkUnit unit;
  private final WriteRounds rounds;
  private final Statuses statuses;
  private final DocumentLimits limits;
  private final MemoryReservation room;
  private final Map<AppliedIds, UnitVerdict> sent = new HashMap<>();

  /** A version to write, and the verdict once it is written. */
  private record Draft(String text, DocumentStamp stamp, UnitVerdict whenWritten) {}

  UpdateProcessing(
      DocumentObject object,
      WorkUnit unit,
      Statuses statuses,
      DocumentLimits limits,
      MemoryReservation room) {
    this.object = object;
    this.unit = unit;
    this.statuses = statuses;
    this.limits = limits;
    this.room = room;
    this.rounds = new WriteRounds(object, unit, statuses);
  }

  UnitVerdict verdict(RoundLimit patience) throws InterruptedException {
    return rounds.verdict(patience, () -> round(patience));
  }

  private @Nullable UnitVerdict round(RoundLimit patience) throws InterruptedException {
    FetchAnswer answer =
        object.fetch(bytes -> bytes <= readable() && room.isThereForDocument(bytes));
    if (answer instanceof Unclear unclear) {
      return rounds.notAnswered(unclear);
    } else if (answer instanceof NotRead large) {
      return tooLarge(large.bytes());
    }
    if (!(answer instanceof Fetched found)) {
      return merge(null, null, patience);
    }
    Optional<StoredDocument> read = StoredDocument.read(found.bytes(), found.metadata());
    return read.isEmpty()
        ? unreadable("it is not UTF-8")
        : replace(read.get(), found.etag(), patience);
  }

  private long readable() {
    return DocumentLimits.readableBytes(limits.documentBytes());
  }

  /** Postpones the read to the next round, if there is memory by then. */
  private @Nullable UnitVerdict tooLarge(long bytes) throws InterruptedException {
    if (bytes > readable()) {
      return unreadable(
          "it has %d bytes, of which at most %d are read; raise max_payload"
              .formatted(bytes, readable()));
    }
    rounds.goOn("no memory was free for " + object + " of " + bytes + " bytes");
    return room.forDocument(bytes) ? null : new UnitVerdict.TakenBack();
  }

  private @Nullable UnitVerdict replace(StoredDocument document, String etag, RoundLimit patience) {
    Optional<DocumentStamp> stamp = document.stamp();
    if (stamp.isEmpty()) {
      return merge(document, etag, patience);
    }
    DocumentStamp last = stamp.get();
    if (last.process().equals(unit.process())) {
      return sent.get(last.applied());
    }
    UnitVerdict leaving = rounds.leaving(last);
    if (leaving != null) {
      return leaving;
    }
    // Requests that have left the table were complete when they were cleared.
    Map<Long, RequestMark> now = statuses.of(unit.entity(), last.applied().ids());
    Map<Long, RequestMark> open = new HashMap<>(now);
    open.values().removeIf(mark -> !mark.isOpen());
    return open.isEmpty() || digest(now) != last.digest()
        ? merge(document, etag, patience)
        : find(document, last, open, etag);
  }

  private static long digest(Map<Long, RequestMark> requests) {
    return requests.values().stream().mapToLong(RequestMark::digest).sum();
  }

  private @Nullable UnitVerdict find(
      StoredDocument document, DocumentStamp last, Map<Long, RequestMark> open, String etag) {
    AppliedIds ids = AppliedIds.of(open.keySet());
    DocumentStamp stamp = rounds.stamp(ids, last.create()).withApplied(ids, digest(open));
    UnitVerdict found = new UnitVerdict.AppliedEarlier(ids.ids());
    return write(new Draft(document.text(), stamp, found), etag);
  }

  private @Nullable UnitVerdict merge(
      @Nullable StoredDocument document, @Nullable String etag, RoundLimit patience) {
    Patching.Patched patched;
    try {
      patched =
          Patching.of(
              document == null ? null : document.text(),
              unit.requests(),
              limits.documentBytes(),
              patience::isHalfOver);
    } catch (BadJsonException bad) {
      return unreadable(bad.getMessage());
    }
    AppliedIds applied = patched.applied();
    UnitVerdict settled = new UnitVerdict.RequestsSettled(applied.ids(), patched.failed());
    if (applied.ids().isEmpty()) {
      return settled;
    }
    CreatingRequest create =
        document == null ? null : document.stamp().map(DocumentStamp::create).orElse(null);
    return write(new Draft(patched.text(), rounds.stamp(applied, create), settled), etag);
  }

  private @Nullable UnitVerdict write(Draft draft, @Nullable String etag) {
    sent.put(draft.stamp().applied(), draft.whenWritten());
    StoredDocument document = StoredDocument.of(draft.text(), draft.stamp());
    PutAnswer answer =
        etag == null ? object.putIfAbsent(document) : object.putIfMatch(document, etag);
    return rounds.written(answer, draft.whenWritten());
  }

  private UnitVerdict unreadable(@Nullable String why) {
    return UnitVerdict.RequestsSettled.allFailed(unit, object + " cannot be patched: " + why);
  }
}
