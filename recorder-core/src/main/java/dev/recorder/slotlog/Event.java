package dev.recorder.slotlog;

import dev.recorder.handoff.Window;
import org.jspecify.annotations.Nullable;

/** The answer to an {@link Effect}. */
public sealed interface Event {

  /** Answers of the database lane. */
  sealed interface LedgerEvent extends Event {}

  /** Answers of the store lane. */
  sealed interface StoreEvent extends Event {}

  /** An answer with the reason why the effect failed. */
  sealed interface Explained extends Event {
    String why();
  }

  /** An answer that ends the writer's term. */
  sealed interface Final extends Explained {
    Ending.EndingKind ends();
  }

  /** To Load: the row names this term; {@code head} is the log's state. */
  record Loaded(LogHead head) implements LedgerEvent {}

  /** To Load: the row names another term. */
  record NotOurs(String why) implements LedgerEvent, Final {
    @Override
    public Ending.EndingKind ends() {
      return Ending.EndingKind.STEPPED_DOWN;
    }
  }

  /** To Read: rows were read and built into content. */
  record Built(SlotContent content) implements LedgerEvent {}

  /** To Read: no row is waiting. */
  record NothingWaiting() implements LedgerEvent {}

  /**
   * To Read: the waiting rows do not fill a slot, and only a full slot was requested.
   *
   * @param missing how many more rows should fill the slot, if they are as long as the waiting ones
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

  /** To Read: rows are waiting, but other slots use the memory that the first row needs. */
  record NoRoom() implements LedgerEvent {}

  /**
   * To Plan: committed.
   *
   * @param earlier the window under which the same content was planned before, if it is a different
   *     window; it covers the same rows and stays valid
   */
  record Planned(@Nullable Window earlier) implements LedgerEvent {
    public Planned() {
      this(null);
    }
  }

  /**
   * To Settle: committed, with exactly one row updated.
   *
   * @param earlierOfNext {@code earlier} as in {@link Planned}, for the slot that the same
   *     transaction planned
   */
  record Settled(@Nullable Window earlierOfNext) implements LedgerEvent {
    public Settled() {
      this(null);
    }
  }

  /**
   * To Adopt: committed.
   *
   * @param head the log's state after the adopted slot
   * @param by how the slot was settled
   */
  record Adopted(LogHead head, Adoption by) implements LedgerEvent {}

  /**
   * To Read, Plan, Settle, Adopt: the recorder's row is not as the effect requires. Nothing was
   * done.
   */
  record Fenced() implements LedgerEvent {}

  /**
   * The database's answer is unknown. The effect may have happened, or may still happen.
   *
   * @param everywhere whether the database is at fault, so that every other host would fail in the
   *     same way
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

  /** To CheckIdentity or Look: the store has another log, or none. */
  record IdentityWrong(String why) implements StoreEvent, Final {
    @Override
    public Ending.EndingKind ends() {
      return Ending.EndingKind.REFUSED;
    }
  }

  /** To Look: the store has an object of this log and slot. */
  record Found(ObjectMetadata object) implements StoreEvent {}

  /** To Look: the store has no such object. */
  record Missing() implements StoreEvent {}

  /** To Put: this PUT created the object. */
  record PutCreated() implements StoreEvent {}

  /** To Put: the store answered 412, as the key exists. */
  record PutAlreadyThere() implements StoreEvent {}

  /** The store's answer is unknown: 409, 5xx, time-out, connection lost, refused. */
  record StoreUnclear(String why) implements StoreEvent, Explained {}

  /** To an effect that needs the lease: the lease had ended, and nothing was started. */
  record LeaseEnded() implements LedgerEvent, StoreEvent {}

  /** To Wake and AwaitRows. */
  record Woken() implements Event {}
}
