package dev.recorder.slotlog;

import dev.recorder.handoff.Window;
import org.jspecify.annotations.Nullable;

/** The answer to an {@link Effect}. */
public sealed interface Event {

  /** Answers of the database lane. */
  sealed interface LedgerEvent extends Event {}

  /** Answers of the store lane. */
  sealed interface StoreEvent extends Event {}

  /** One that says why the effect failed. */
  sealed interface Explained extends Event {
    String why();
  }

  /** An answer after which there is nothing more to do in this term. */
  sealed interface Final extends Explained {
    Ending.EndingKind ends();
  }

  /** To Load: the term is ours, and the log stands here. */
  record Loaded(LogHead head) implements LedgerEvent {}

  /** To Load: the row names another term. */
  record NotOurs(String why) implements LedgerEvent, Final {
    @Override
    public Ending.EndingKind ends() {
      return Ending.EndingKind.STEPPED_DOWN;
    }
  }

  /** To Read: rows, built into content. */
  record Built(SlotContent content) implements LedgerEvent {}

  /** To Read: no row is waiting. */
  record NothingWaiting() implements LedgerEvent {}

  /**
   * To Read: rows are waiting, but do not fill a slot, and only a full one was wanted.
   *
   * @param missing how many more should fill it, if they are as long as those
   */
  record NotFull(long missing) implements LedgerEvent {
    public NotFull {
      if (missing < 1) {
        throw new IllegalArgumentException("full, and yet not: " + missing + " rows missing");
      }
    }
  }

  /** To Read: the recorder is paused, and nothing was read. */
  record Paused() implements LedgerEvent {}

  /** To Read: rows are waiting, and other slots take the memory that the first of them needs. */
  record NoRoom() implements LedgerEvent {}

  /**
   * To Plan: committed.
   *
   * @param earlier the window under which this very content was planned before, if another: it
   *     covers the same rows, and it stands
   */
  record Planned(@Nullable Window earlier) implements LedgerEvent {
    public Planned() {
      this(null);
    }
  }

  /**
   * To Settle: committed, exactly one row hit.
   *
   * @param earlierOfNext as in {@link Planned}, of the slot that was planned with it
   */
  record Settled(@Nullable Window earlierOfNext) implements LedgerEvent {
    public Settled() {
      this(null);
    }
  }

  /**
   * To Adopt: committed.
   *
   * @param head the log with the adopted slot
   * @param by how its rows were told
   */
  record Adopted(LogHead head, Adoption by) implements LedgerEvent {}

  /**
   * To Read, Plan, Settle, Adopt: the row does not say what the effect required; nothing was done.
   */
  record Fenced() implements LedgerEvent {}

  /**
   * The database's answer is unknown: whatever was asked for may have happened, or may yet.
   *
   * @param everywhere whether the database is at fault, so that no other host would fare better
   */
  record DatabaseUnclear(String why, boolean everywhere) implements LedgerEvent, Explained {
    public DatabaseUnclear(String why) {
      this(why, false);
    }
  }

  /** The database contradicts the log (history lost, wrong database); an operator must look. */
  record DatabaseRefused(String why) implements LedgerEvent, Final {
    @Override
    public Ending.EndingKind ends() {
      return Ending.EndingKind.REFUSED;
    }
  }

  /** To CheckIdentity: the store holds this log. */
  record IdentityRight() implements StoreEvent {}

  /** To CheckIdentity, or Look at a slot of another log: the store holds another log, or none. */
  record IdentityWrong(String why) implements StoreEvent, Final {
    @Override
    public Ending.EndingKind ends() {
      return Ending.EndingKind.REFUSED;
    }
  }

  /** To Look: there is an object, of this log and slot. */
  record Found(ObjectMetadata object) implements StoreEvent {}

  /** To Look: there is none. */
  record Missing() implements StoreEvent {}

  /** To Put: written by this PUT. */
  record PutCreated() implements StoreEvent {}

  /** To Put: 412. */
  record PutAlreadyThere() implements StoreEvent {}

  /** The store's answer is unknown: 409, 5xx, time-out, connection lost, refused. */
  record StoreUnclear(String why) implements StoreEvent, Explained {}

  /** To an effect that needs the lease: it had ended, nothing was started. */
  record LeaseEnded() implements LedgerEvent, StoreEvent {}

  /** To Wake and AwaitRows. */
  record Woken() implements Event {}
}
