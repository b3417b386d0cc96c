package dev.recorder.slotlog;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the log's state, from a load to the first slot that is not in the store:
 *
 * <pre>
 *   Load → look at next, and beside it at last ─ absent → recovered
 *               ↑      │ present
 *               └ Adopt ┘
 * </pre>
 *
 * <p>Once in a term it also looks at the last settled slot. If this slot is missing or belongs to
 * another log, the store is not this log's. If the log has no settled slot, or its last one may
 * have expired, the identity object is checked instead.
 *
 * <p>One procedure serves all crash points: a new term, and a writer after an unclear or fenced
 * answer. The writer itself handles the answers {@code DatabaseUnclear}, {@code Fenced} and {@code
 * NotOurs}; only the other answers come here. Pure; not thread-safe.
 */
final class Recovery {
  private enum RecoveryStage {
    LOADING,
    LOOKING,
    ADOPTING
  }

  /** The state after an answer. */
  enum RecoveryStanding {
    /** The next effect is on its way. */
    UNDER_WAY,
    /** The store gave no answer: begin again after a pause. */
    UNCLEAR,
    /** {@link #head()} is the log's state, and the next slot is not in the store. */
    RECOVERED,
    /** The store is not the log's: {@link #refusal()} says why. */
    REFUSED
  }

  private final PendingEffects pending;
  private RecoveryStage step = RecoveryStage.LOADING;
  private @Nullable LogHead head;

  /** The answer to the look at the slot after the head; null before that answer. */
  private @Nullable Event next;

  /** Whether the store is known to be this log's. */
  private boolean logChecked;

  private String refusal = "";

  Recovery(PendingEffects pending) {
    this.pending = pending;
  }

  /** Begins by loading the recorder's row. */
  void load() {
    step = RecoveryStage.LOADING;
    pending.send(new Effect.Load());
  }

  /** Begins by adopting the slot after {@code known}, which another writer has put. */
  void adopt(LogHead known, ObjectMetadata object) {
    head = known;
    step = RecoveryStage.ADOPTING;
    pending.send(new Effect.Adopt(known, object));
  }

  /** Returns the log's state, as far as it is known. */
  LogHead head() {
    return Objects.requireNonNull(head, "no head yet");
  }

  String refusal() {
    return refusal;
  }

  RecoveryStanding on(Event event) {
    if (event instanceof Event.StoreUnclear) {
      return RecoveryStanding.UNCLEAR;
    }
    return switch (step) {
      case LOADING -> look(((Event.Loaded) event).head());
      case LOOKING -> onNextSlot(event);
      case ADOPTING -> look(((Event.Adopted) event).head());
    };
  }

  /** Takes the answer to the effect beside the look at the next slot. */
  RecoveryStanding onBeside(Event event) {
    if (event instanceof Event.StoreUnclear) {
      return RecoveryStanding.UNCLEAR;
    } else if (event instanceof Event.Final wrong) {
      return refuse(wrong.why());
    } else if (event instanceof Event.Missing) {
      return refuse(
          "slot "
              + head().lastSlot()
              + " is settled but missing in the store: wrong bucket or prefix,"
              + " or it was deleted (raise the floor before objects are deleted)");
    }
    logChecked = true;
    return onBoth();
  }

  private RecoveryStanding refuse(String why) {
    refusal = why;
    return RecoveryStanding.REFUSED;
  }

  private RecoveryStanding look(LogHead known) {
    head = known;
    next = null;
    step = RecoveryStage.LOOKING;
    pending.send(new Effect.Look(known.lastSlot() + 1));
    if (!logChecked) {
      boolean lastIsThere = known.lastSlot() >= known.firstSlot();
      pending.sendBeside(
          lastIsThere ? new Effect.Look(known.lastSlot()) : new Effect.CheckIdentity());
    }
    return RecoveryStanding.UNDER_WAY;
  }

  private RecoveryStanding onNextSlot(Event event) {
    next = event;
    return onBoth();
  }

  private RecoveryStanding onBoth() {
    if (next == null || !logChecked) {
      return RecoveryStanding.UNDER_WAY;
    } else if (next instanceof Event.Found found) {
      adopt(head(), found.object());
      return RecoveryStanding.UNDER_WAY;
    }
    return RecoveryStanding.RECOVERED;
  }

  @Override
  public String toString() {
    return step.toString();
  }
}
