package dev.recorder.requests.document;

import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.Absent;
import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.NotRead;
import dev.recorder.store.ObjectStore.Unclear;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a document by a newer one, on the condition that its version has not changed since it
 * was read.
 *
 * <p>It always writes, even an equal document, so that a delayed write of an earlier unit can no
 * longer succeed. A later unit's version is left alone.
 */
final class DocumentReplacement {
  /** Creates the new version from the old one, since all versions name the create. */
  interface VersionBuilder {
    RebuiltDocument document(@Nullable CreatingRequest create);
  }

  private final DocumentObject object;
  private final WorkUnit unit;
  private final WriteRounds rounds;
  private final VersionBuilder making;
  private final UnitVerdict whenWritten;

  DocumentReplacement(
      DocumentObject object,
      WorkUnit unit,
      UnitWorker.Statuses statuses,
      VersionBuilder making,
      UnitVerdict whenWritten) {
    this.object = object;
    this.unit = unit;
    this.making = making;
    this.whenWritten = whenWritten;
    this.rounds = new WriteRounds(object, unit, statuses);
  }

  UnitVerdict verdict(RoundLimit patience) throws InterruptedException {
    return rounds.verdict(patience, this::round);
  }

  private @Nullable UnitVerdict round() {
    FetchAnswer answer =
        object.fetch(bytes -> bytes <= MemoryReservation.SMALL); // The reason is recorded.
    if (answer instanceof Fetched read) {
      return replace(read.metadata(), read.etag());
    } else if (answer instanceof NotRead large) {
      return replace(large.metadata(), large.etag());
    } else if (answer instanceof Unclear unclear) {
      return rounds.notAnswered(unclear);
    }
    return answer instanceof Absent ? write(null, null) : null;
  }

  private @Nullable UnitVerdict replace(Map<String, String> metadata, String etag) {
    Optional<DocumentStamp> stamp = DocumentStamp.from(metadata);
    if (stamp.isEmpty()) {
      return write(null, etag);
    }
    DocumentStamp last = stamp.get();
    if (last.process().equals(unit.process())) {
      return whenWritten;
    }
    UnitVerdict leaving = rounds.leaving(last);
    return leaving == null ? write(last.create(), etag) : leaving;
  }

  private @Nullable UnitVerdict write(@Nullable CreatingRequest create, @Nullable String etag) {
    return rounds.written(object.put(making.document(create), etag), whenWritten);
  }
}
