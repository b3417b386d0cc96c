package dev.recorder.requests.document;

import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import org.jspecify.annotations.Nullable;

/**
 * A unit's rounds at its object, each of which looks what is there again, until one has a verdict;
 * and why the last one had none. For one thread.
 */
final class Rounds {
  private final DocumentObject object;
  private final WorkUnit unit;
  private final UnitWorker.Statuses statuses;
  private String reason;

  Rounds(DocumentObject object, WorkUnit unit, UnitWorker.Statuses statuses) {
    this.statuses = statuses;
    this.object = object;
    this.unit = unit;
    this.reason = "no time was left for " + object;
  }

  /** One of them. */
  @FunctionalInterface
  interface Round {
    /** Null if another must follow. */
    @Nullable UnitVerdict verdict() throws InterruptedException;
  }

  /** The verdict of the first round that has one; put off if none has. */
  UnitVerdict verdict(Patience patience, Round round) throws InterruptedException {
    while (patience.lasts()) {
      UnitVerdict verdict = round.verdict();
      if (verdict != null) {
        return verdict;
      }
    }
    return new UnitVerdict.Postponed(reason);
  }

  /** Why this round has no verdict. */
  void goOn(String why) {
    reason = why;
  }

  /** The next round looks whether it was written after all; if nothing helps, there is none. */
  @Nullable UnitVerdict notAnswered(Unclear unclear) {
    reason = unclear.reason();
    return unclear.remediable() ? null : new UnitVerdict.Postponed(reason);
  }

  /** What a conditional write comes to. */
  @Nullable UnitVerdict written(PutAnswer answer, UnitVerdict whenWritten) {
    if (answer instanceof Created) {
      return whenWritten;
    } else if (answer instanceof Unclear unclear) {
      return notAnswered(unclear);
    }
    reason = object + " is changed again and again by another writer";
    return null;
  }

  /** What the unit writes. */
  DocumentStamp stamp(AppliedIds applied, @Nullable Creator create) {
    return DocumentStamp.of(unit, statuses, applied, create);
  }

  /**
   * The verdict if what is there must be left alone: a later unit of the entity has written it, or
   * one of another database, whose ids and fences say nothing here. Null if it may be replaced.
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
