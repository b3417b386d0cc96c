package dev.recorder.requests.document;

import dev.recorder.requests.Room;
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
 * Replaces a document by a newer one, on the condition that it is still the version that was looked
 * at.
 *
 * <p>It is always written, whatever is there: a version that an earlier unit has sent, and that is
 * still on its way, can then not land any more. What a later unit has written is left alone.
 */
final class Rebuilding {
  /** What is made of what was there: a create is named by all later versions. */
  interface Making {
    RebuiltDocument document(@Nullable Creator create);
  }

  private final DocumentObject object;
  private final WorkUnit unit;
  private final Rounds rounds;
  private final Making making;
  private final UnitVerdict whenWritten;

  Rebuilding(
      DocumentObject object,
      WorkUnit unit,
      UnitWorker.Statuses statuses,
      Making making,
      UnitVerdict whenWritten) {
    this.object = object;
    this.unit = unit;
    this.making = making;
    this.whenWritten = whenWritten;
    this.rounds = new Rounds(object, unit, statuses);
  }

  UnitVerdict verdict(Patience patience) throws InterruptedException {
    return rounds.verdict(patience, this::round);
  }

  private @Nullable UnitVerdict round() {
    FetchAnswer answer = object.fetch(bytes -> bytes <= Room.SMALL); // What is told is enough.
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

  private @Nullable UnitVerdict write(@Nullable Creator create, @Nullable String etag) {
    return rounds.written(object.put(making.document(create), etag), whenWritten);
  }
}
