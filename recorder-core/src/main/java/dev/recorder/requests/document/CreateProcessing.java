package dev.recorder.requests.document;

import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.Request;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.FetchAnswer;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.NotRead;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Processes a create by a PUT on the condition that the object does not exist.
 *
 * <p>An existing object is left alone. Later versions of a document still name the request that
 * created it, so a repeated create recognises its own object at any time.
 */
final class CreateProcessing {
  private final DocumentObject object;
  private final WorkUnit unit;
  private final UnitWorker.Statuses statuses;
  private final WriteRounds rounds;
  private final Request create;
  private final int limitBytes;

  CreateProcessing(
      DocumentObject object, WorkUnit unit, UnitWorker.Statuses statuses, int limitBytes) {
    this.object = object;
    this.unit = unit;
    this.statuses = statuses;
    this.create = unit.requests().get(0);
    this.limitBytes = limitBytes;
    this.rounds = new WriteRounds(object, unit, statuses);
  }

  UnitVerdict verdict(RoundLimit patience) throws InterruptedException {
    String text = Json.ofPayload(create.payload());
    try {
      // The text is checked once, so that later updates can parse it.
      Json.check(text);
    } catch (BadJsonException bad) {
      return UnitVerdict.RequestsSettled.allFailed(
          unit, "the payload cannot be kept: " + bad.getMessage());
    }
    long bytes = Patching.bytes(text);
    if (bytes > limitBytes) {
      return UnitVerdict.RequestsSettled.allFailed(unit, Patching.tooLarge(bytes, limitBytes));
    }
    StoredDocument document =
        StoredDocument.of(
            text, rounds.stamp(AppliedIds.of(unit.ids()), CreatingRequest.of(create)));
    return rounds.verdict(patience, () -> round(document));
  }

  private @Nullable UnitVerdict round(StoredDocument document) {
    PutAnswer answer = object.putIfAbsent(document);
    if (answer instanceof Created) {
      return UnitVerdict.RequestsSettled.allComplete(unit);
    } else if (answer instanceof Unclear unclear && !unclear.remediable()) {
      return rounds.notAnswered(unclear);
    } else if (answer instanceof Unclear unclear) {
      rounds.goOn(unclear.reason());
    }
    return look();
  }

  /** Looks at the object after a PUT that was refused or not answered. */
  private @Nullable UnitVerdict look() {
    FetchAnswer found =
        object.fetch(bytes -> bytes <= MemoryReservation.SMALL); // The reason is recorded.
    if (found instanceof Fetched read) {
      return judged(read.metadata());
    } else if (found instanceof NotRead large) {
      return judged(large.metadata());
    } else if (found instanceof Unclear unclear) {
      return rounds.notAnswered(unclear);
    }
    return null;
  }

  private UnitVerdict judged(Map<String, String> metadata) {
    Optional<DocumentStamp> stamp = DocumentStamp.from(metadata);
    return isOurs(stamp)
        ? UnitVerdict.RequestsSettled.allComplete(unit)
        : UnitVerdict.RequestsSettled.allFailed(unit, whose(stamp));
  }

  private boolean isOurs(Optional<DocumentStamp> found) {
    return found
        .filter(stamp -> !stamp.isOfAnother(statuses.databases()))
        .filter(
            stamp ->
                stamp.process().equals(unit.process())
                    || CreatingRequest.of(create).equals(stamp.create()))
        .isPresent();
  }

  private String whose(Optional<DocumentStamp> found) {
    if (found.isPresent() && found.get().isOfAnother(statuses.databases())) {
      return found.get().another(object.toString(), statuses.databases());
    }
    String by =
        found
            .map(stamp -> stamp.create())
            .map(this::whose)
            .orElse("no create of this recorder put it there");
    return "an object is already there under " + object.key() + ": " + by;
  }

  private String whose(CreatingRequest creator) {
    return creator.id() == create.id()
        ? "another request with the id "
            + creator.id()
            + " created it, which this database has lost or never had"
        : "request " + creator.id() + " created it";
  }
}
