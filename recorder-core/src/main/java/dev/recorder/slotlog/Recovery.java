package dev.recorder.slotlog;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where the log stands, from a load to the first slot that nobody has written:
 *
 * <pre>
 *   Load → look at next, and beside it at last ─ absent → recovered
 *               ↑      │ present
 *               └ Adopt ┘
 * </pre>
 *
 * <p>Once in a term it looks at the last slot, too: a settled slot that is missing, or is another
 * log's, tells that the store is not this log's. A log without a settled slot, or whose last one
 * may have expired, has its identity object looked at instead.
 *
 * <p>All crash points share it: a fresh term and a writer that has lost the thread do the same.
 * What is unclear in the database, fenced, or not ours any more is left to its writer; here come
 * the answers that say something. Pure and not thread-safe.
 */
final class Recovery {
  private enum RecoveryStage {
    LOADING,
    LOOKING,
    ADOPTING
  }

  /** What an answer has led to. */
  enum RecoveryStanding {
    /** The next effect is on its way. */
    UNDER_WAY,
    /** The store gave no answer: to be begun again, after a pause. */
    UNCLEAR,
    /** {@link #head()} is where the log stands, and nobody has written the next slot. */
    RECOVERED,
    /** The store is not the log's: {@link #refusal()} says why. */
    REFUSED
  }

  private final PendingEffects pending;
  private RecoveryStage step = RecoveryStage.LOADING;
  private @Nullable LogHead head;

  /** What a look at the slot behind the head has found; null until then. */
  private @Nullable Event next;

  /** Whether the store is known to be this log's. */
  private boolean logChecked;

  private String refusal = "";

  Recovery(PendingEffects pending) {
    this.pending = pending;
  }

  /** Begins at the beginning. */
  void load() {
    step = RecoveryStage.LOADING;
    pending.send(new Effect.Load());
  }

  /** Begins with the slot behind {@code known}, which somebody else has written. */
  void adopt(LogHead known, ObjectMetadata object) {
    head = known;
    step = RecoveryStage.ADOPTING;
    pending.send(new Effect.Adopt(known, object));
  }

  /** Where the log stands, as far as that is known. */
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

  /** For the answer to what was asked beside. */
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
