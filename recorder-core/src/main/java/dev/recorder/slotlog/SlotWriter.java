package dev.recorder.slotlog;

import dev.recorder.slotlog.Ending.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer of one log during one term: a state machine from answers to effects.
 *
 * <pre>
 *            Load → identity → look at last slot → look at next ─┬ absent → Read → Plan → Put → Settle ┐
 *              ↑                                   ↑    present │              ↑                      │
 *              │                                   └── Adopt ←───┘              └──────────────────────┘
 *              └── anything fenced or unclear in the database, or begun after the lease
 * </pre>
 *
 * <p>All crash points share the recovery at the left: a fresh term and a writer that has lost the
 * thread do the same. While a slot is under way and more rows wait, the next one's content is read
 * (built ahead); it is planned by the very statement that settles the slot, and anything but a
 * clean success of that slot throws it away.
 *
 * <p>Pure and not thread-safe: the driver calls it on one thread at a time. Safety does not depend
 * on when, or how often, effects take place, only on the conditions each of them carries.
 */
public final class SlotWriter {
  private enum Phase {
    NEW,
    LOADING,
    CHECKING_IDENTITY,
    CHECKING_LAST,
    LOOKING_AHEAD_OF_LOG,
    ADOPTING,
    READING,
    LINGERING,
    PLANNING,
    PUTTING,
    COMPARING,
    WAITING_TO_PUT_AGAIN,
    WAITING_TO_COMPARE,
    AWAITING_AHEAD,
    SETTLING,
    WAITING_TO_LOAD,
    ENDED
  }

  private final WriterPolicy policy;
  private final Linger linger;
  private final Outbox outbox = new Outbox();
  private Phase phase = Phase.NEW;
  private int failures;
  private boolean logChecked;
  private boolean stopping;
  private @Nullable LogHead head;
  private @Nullable SlotContent content;
  private @Nullable SlotContent ahead;

  public SlotWriter(WriterPolicy policy) {
    this.policy = policy;
    this.linger = new Linger(policy);
  }

  /** Begins the term. */
  public List<Ticketed> start() {
    load();
    return outbox.drain();
  }

  /**
   * Asks for a graceful end: a slot that is planned or under way is finished first, the next is not
   * begun. The answer may already be {@link Effect.Finish}.
   */
  public List<Ticketed> stop() {
    stopping = true;
    if (phase == Phase.NEW
        || phase == Phase.LINGERING
        || phase == Phase.READING
        || phase == Phase.WAITING_TO_LOAD) {
      finish(Kind.STOPPED, "asked to stop between two slots");
    }
    return outbox.drain();
  }

  /**
   * Takes the answer to the effect with {@code ticket}; one that is no longer awaited changes
   * nothing.
   */
  public List<Ticketed> on(long ticket, Event event, long now) {
    if (outbox.takeAhead(ticket)) {
      onAhead(event, now);
    } else if (outbox.take(ticket)) {
      onAwaited(event, now);
    }
    return outbox.drain();
  }

  public boolean hasEnded() {
    return phase == Phase.ENDED;
  }

  /** The phase and slot, for logs and traces. */
  @Override
  public String toString() {
    return phase + (head == null ? "" : " after slot " + head.lastSlot());
  }

  private void onAwaited(Event event, long now) {
    if (event instanceof Event.LeaseEnded) {
      forgetContent();
      failures = 0; // the lease may come back with the next heartbeat: look again soon
      waitToLoad(now);
    } else if (event instanceof Event.DatabaseUnclear) {
      forgetContent();
      waitToLoad(now);
    } else if (event instanceof Event.Fenced) {
      forgetContent();
      load();
    } else if (event instanceof Event.NotOurs notOurs) {
      finish(Kind.STEPPED_DOWN, notOurs.why());
    } else if (event instanceof Event.DatabaseRefused refused) {
      finish(Kind.REFUSED, refused.why());
    } else if (event instanceof Event.IdentityWrong wrong) {
      finish(Kind.REFUSED, wrong.why());
    } else {
      onPhase(event, now);
    }
  }

  private void onPhase(Event event, long now) {
    switch (phase) {
      case LOADING -> onLoaded((Event.Loaded) event);
      case CHECKING_IDENTITY -> onIdentity(event, now);
      case CHECKING_LAST -> onLastSlot(event, now);
      case LOOKING_AHEAD_OF_LOG -> onNextSlot(event, now);
      case ADOPTING -> onAdopted((Event.Adopted) event);
      case READING -> onRead(event, now);
      case LINGERING -> read(now);
      case PLANNING -> onPlanned((Event.Planned) event);
      case PUTTING -> onPut(event);
      case COMPARING -> onCompared(event, now);
      case WAITING_TO_PUT_AGAIN -> put();
      case WAITING_TO_COMPARE -> compare();
      case SETTLING -> onSettled((Event.Settled) event, now);
      case WAITING_TO_LOAD -> load();
      case NEW, AWAITING_AHEAD, ENDED -> throw unexpected(event);
    }
  }

  // ---- recovery: the same for a new term and for a writer that has lost the thread

  private void load() {
    phase = Phase.LOADING;
    outbox.send(new Effect.Load());
  }

  private void onLoaded(Event.Loaded loaded) {
    head = loaded.head();
    if (logChecked) {
      lookAheadOfLog();
    } else {
      phase = Phase.CHECKING_IDENTITY;
      outbox.send(new Effect.CheckIdentity());
    }
  }

  private void onIdentity(Event event, long now) {
    if (event instanceof Event.StoreUnclear) {
      waitToLoad(now);
    } else if (head().lastSlot() >= head().firstSlot()) {
      phase = Phase.CHECKING_LAST;
      outbox.send(new Effect.Look(head().lastSlot()));
    } else {
      logChecked = true;
      lookAheadOfLog();
    }
  }

  private void onLastSlot(Event event, long now) {
    if (event instanceof Event.Missing) {
      finish(
          Kind.REFUSED,
          "slot "
              + head().lastSlot()
              + " is settled but missing in the store: wrong bucket or prefix,"
              + " or somebody deleted it (raise the floor before objects go)");
    } else if (event instanceof Event.StoreUnclear) {
      waitToLoad(now);
    } else {
      logChecked = true;
      lookAheadOfLog();
    }
  }

  private void lookAheadOfLog() {
    phase = Phase.LOOKING_AHEAD_OF_LOG;
    outbox.send(new Effect.Look(head().lastSlot() + 1));
  }

  private void onNextSlot(Event event, long now) {
    if (event instanceof Event.Found found) {
      adopt(found.object());
    } else if (event instanceof Event.StoreUnclear) {
      waitToLoad(now);
    } else {
      beginSlot(now);
    }
  }

  private void adopt(ObjectMetadata object) {
    forgetContent();
    phase = Phase.ADOPTING;
    outbox.send(new Effect.Adopt(head(), object));
  }

  private void onAdopted(Event.Adopted adopted) {
    head = adopted.head();
    lookAheadOfLog();
  }

  private void waitToLoad(long now) {
    if (stopping) {
      finish(Kind.STOPPED, "asked to stop while the database or the store gave no answer");
      return;
    }
    phase = Phase.WAITING_TO_LOAD;
    wakeAfterFailure(now);
  }

  // ---- a slot's own way

  private void beginSlot(long now) {
    if (stopping) {
      finish(Kind.STOPPED, "asked to stop after slot " + head().lastSlot());
    } else {
      read(now);
    }
  }

  private void read(long now) {
    phase = Phase.READING;
    linger.reads(now);
    long last = head().lastSlot();
    outbox.send(new Effect.Read(last + 1, last, head().position(), !linger.takesPart(now)));
  }

  private void onRead(Event event, long now) {
    failures = 0;
    if (event instanceof Event.Built built) {
      content = built.content();
      linger.tookRows();
      phase = Phase.PLANNING;
      outbox.send(new Effect.Plan(built.content()));
    } else if (event instanceof Event.NoRoom) {
      phase = Phase.LINGERING; // Other slots are on their way, and give back what they take.
      outbox.send(new Effect.Wake(now + policy.firstRetry().toNanos()));
    } else {
      linger.tookNothing(event instanceof Event.NotFull, now);
      rest();
    }
  }

  private void rest() {
    phase = Phase.LINGERING;
    outbox.send(new Effect.Wake(linger.nextReadAt()));
  }

  /**
   * Where this slot ends is what its row says: a reader of the rows must find slot after slot
   * without a step between them.
   */
  private void onPlanned(Event.Planned planned) {
    content = content().under(planned.earlier());
    put();
  }

  private void put() {
    phase = Phase.PUTTING;
    SlotContent current = content();
    outbox.send(new Effect.Put(current));
    boolean worthBuildingAhead = current.more() && failures == 0 && !stopping;
    if (worthBuildingAhead && ahead == null && !outbox.awaitsAhead()) {
      long next = current.slot() + 1;
      outbox.sendAhead(new Effect.Read(next, next - 2, current.after(), false));
    }
  }

  private void onAhead(Event event, long now) {
    ahead = event instanceof Event.Built built ? built.content() : null;
    if (phase == Phase.AWAITING_AHEAD) {
      settle();
    } else if (phase == Phase.PUTTING && event instanceof Event.Built) {
      linger.reads(now);
    }
  }

  private void onPut(Event event) {
    if (event instanceof Event.PutCreated) {
      isInStore();
    } else {
      forgetAhead();
      compare();
    }
  }

  /** 412 or no answer: only the object itself can tell. */
  private void compare() {
    phase = Phase.COMPARING;
    outbox.send(new Effect.Look(content().slot()));
  }

  private void onCompared(Event event, long now) {
    if (event instanceof Event.Found found) {
      if (found.object().sha256().equals(content().sha256())) {
        isInStore();
      } else {
        adopt(found.object());
      }
    } else {
      // Absent: the same bytes to the same key again, never on to the next slot, never rebuilt.
      phase =
          event instanceof Event.Missing ? Phase.WAITING_TO_PUT_AGAIN : Phase.WAITING_TO_COMPARE;
      wakeAfterFailure(now);
    }
  }

  private void isInStore() {
    failures = 0;
    if (outbox.awaitsAhead()) {
      phase = Phase.AWAITING_AHEAD;
    } else {
      settle();
    }
  }

  private void settle() {
    phase = Phase.SETTLING;
    if (stopping) {
      ahead = null;
    }
    outbox.send(new Effect.Settle(content(), ahead));
  }

  private void onSettled(Event.Settled event, long now) {
    SlotContent settled = content();
    head = head().after(settled);
    content = ahead == null ? null : ahead.under(event.earlierOfNext());
    ahead = null;
    if (content != null && !stopping) {
      put();
    } else if (stopping || settled.more()) {
      content = null;
      beginSlot(now);
    } else {
      rest();
    }
  }

  // ---- small change

  private void forgetContent() {
    content = null;
    forgetAhead();
  }

  private void forgetAhead() {
    ahead = null;
    outbox.forgetAhead();
  }

  private void wakeAfterFailure(long now) {
    outbox.send(new Effect.Wake(now + policy.retryNanos(failures++)));
  }

  private void finish(Kind kind, String why) {
    phase = Phase.ENDED;
    forgetContent();
    outbox.sendLast(new Effect.Finish(new Ending(kind, why)));
  }

  private LogHead head() {
    if (head == null) {
      throw new IllegalStateException("no head in " + phase);
    }
    return head;
  }

  private SlotContent content() {
    if (content == null) {
      throw new IllegalStateException("no content in " + phase);
    }
    return content;
  }

  private IllegalStateException unexpected(Event event) {
    return new IllegalStateException(event + " in " + phase);
  }
}
