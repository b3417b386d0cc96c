package dev.recorder.requests.document;

import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a unit. Each round looks at the object again, until one has a verdict. Also keeps
 * the reason why the last round had none. For one thread.
 */
final class WriteRounds {
  private final DocumentObject object;
  private final WorkUnit unit;
  private final UnitWorker.Statuses statuses;
  private String reason;

  WriteRounds(DocumentObject object, WorkUnit unit, UnitWorker.Statuses statuses) {
    this.statuses = statuses;
    this.object = object;
    this.unit = unit;
    this.reason = "no time was left for " + object;
  }

  @FunctionalInterface
  interface Round {
    /** Returns null if another round must follow. */
    @Nullable UnitVerdict verdict() throws InterruptedException;
  }

  /** Returns the verdict of the first round that has one; postponed if none has. */
  UnitVerdict verdict(RoundLimit patience, Round round) throws InterruptedException {
    while (patience.lasts()) {
      UnitVerdict verdict = round.verdict();
      if (verdict != null) {
        return verdict;
      }
    }
    return new UnitVerdict.Postponed(reason);
  }

  /** Records why this round has no verdict. */
  void goOn(String why) {
    reason = why;
  }

  /** The next round checks whether the object was written after all. */
  @Nullable UnitVerdict notAnswered(Unclear unclear) {
    reason = unclear.reason();
    return unclear.remediable() ? null : new UnitVerdict.Postponed(reason);
  }

  /**
   * Returns the verdict after a conditional write; null if the write was refused or not answered.
   */
  @Nullable UnitVerdict written(PutAnswer answer, UnitVerdict whenWritten) {
    if (answer instanceof Created) {
      return whenWritten;
    } else if (answer instanceof Unclear unclear) {
      return notAnswered(unclear);
    }
    reason = object + " is changed again and again by another writer";
    return null;
  }

  /** The stamp of the unit. */
  DocumentStamp stamp(AppliedIds applied, @Nullable CreatingRequest create) {
    return DocumentStamp.of(unit, statuses, applied, create);
  }

  /**
   * Returns a verdict if the existing version must stay: a later unit of the entity wrote it, or a
   * unit of another database, whose ids and fences have no meaning here. Null if the version may be
   * replaced.
   */
  @Nullable UnitVerdict leaving(DocumentStamp last) {
    if (last.isOfAnother(statuses.databases())) {
      return new UnitVerdict.Postponed(last.another(object.toString(), statuses.databases()));
    }
    return last.isLaterThan(unit, statuses.databases())
        ? new UnitVerdict.Postponed(last.overtaking(object.toString(), unit.fence()))
        : null;
  }
}
