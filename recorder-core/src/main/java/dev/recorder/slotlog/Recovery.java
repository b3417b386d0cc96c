package dev.recorder.slotlog;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where the log stands, from a load to the first slot that nobody has written:
 *
 * <pre>
 *   Load → identity → look at last slot → look at next ─ absent → recovered
 *          (once in a term)                  ↑      │ present
 *                                            └ Adopt ┘
 * </pre>
 *
 * <p>All crash points share it: a fresh term and a writer that has lost the thread do the same.
 * What is unclear in the database, fenced, or not ours any more is its writer's business; here come
 * the answers that say something. Pure and not thread-safe.
 */
final class Recovery {
  private enum Stage {
    LOADING,
    CHECKING_IDENTITY,
    CHECKING_LAST,
    LOOKING_AT_NEXT,
    ADOPTING
  }

  /** What an answer has led to. */
  enum Standing {
    /** The next effect is on its way. */
    UNDER_WAY,
    /** The store gave no answer: to be begun again, after a pause. */
    UNCLEAR,
    /** {@link #head()} is where the log stands, and nobody has written the next slot. */
    RECOVERED,
    /** The store is not the log's: {@link #refusal()} says why. */
    REFUSED
  }

  private final Outbox outbox;
  private Stage step = Stage.LOADING;
  private @Nullable LogHead head;
  private boolean logChecked;

  Recovery(Outbox outbox) {
    this.outbox = outbox;
  }

  /** Begins at the beginning. */
  void load() {
    step = Stage.LOADING;
    outbox.send(new Effect.Load());
  }

  /** Begins with the slot behind {@code known}, which somebody else has written. */
  void adopt(LogHead known, ObjectMetadata object) {
    head = known;
    step = Stage.ADOPTING;
    outbox.send(new Effect.Adopt(known, object));
  }

  /** Where the log stands, as far as that is known. */
  LogHead head() {
    return Objects.requireNonNull(head, "no head yet");
  }

  String refusal() {
    return "slot "
        + head().lastSlot()
        + " is settled but missing in the store: wrong bucket or prefix,"
        + " or somebody deleted it (raise the floor before objects go)";
  }

  Standing on(Event event) {
    if (event instanceof Event.StoreUnclear) {
      return Standing.UNCLEAR;
    }
    return switch (step) {
      case LOADING -> onLoaded((Event.Loaded) event);
      case CHECKING_IDENTITY -> onIdentity();
      case CHECKING_LAST -> onLastSlot(event);
      case LOOKING_AT_NEXT -> onNextSlot(event);
      case ADOPTING -> onAdopted((Event.Adopted) event);
    };
  }

  private Standing onLoaded(Event.Loaded loaded) {
    head = loaded.head();
    if (logChecked) {
      return lookAtNext();
    }
    step = Stage.CHECKING_IDENTITY;
    outbox.send(new Effect.CheckIdentity());
    return Standing.UNDER_WAY;
  }

  private Standing onIdentity() {
    if (head().lastSlot() < head().firstSlot()) {
      return lookAtNext();
    }
    step = Stage.CHECKING_LAST;
    outbox.send(new Effect.Look(head().lastSlot()));
    return Standing.UNDER_WAY;
  }

  private Standing onLastSlot(Event event) {
    return event instanceof Event.Missing ? Standing.REFUSED : lookAtNext();
  }

  private Standing lookAtNext() {
    logChecked = true;
    step = Stage.LOOKING_AT_NEXT;
    outbox.send(new Effect.Look(head().lastSlot() + 1));
    return Standing.UNDER_WAY;
  }

  private Standing onNextSlot(Event event) {
    if (event instanceof Event.Found found) {
      adopt(head(), found.object());
      return Standing.UNDER_WAY;
    }
    return Standing.RECOVERED;
  }

  private Standing onAdopted(Event.Adopted adopted) {
    head = adopted.head();
    return lookAtNext();
  }

  @Override
  public String toString() {
    return step.toString();
  }
}
