package dev.recorder.slotlog;

import dev.recorder.slotlog.Ending.EndingKind;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The writer of one log during one term: a state machine from answers to effects.
 *
 * <pre>
 *   recover ─→ Read → Plan → Put → Settle ─┐
 *      ↑        ↑                          │
 *      │        └──────────────────────────┘
 *      └── anything fenced or unclear in the database, or begun after the lease
 * </pre>
 *
 * <p>While a slot is under way and more rows wait, the next slot's content is read (built ahead).
 * The statement that settles the slot also plans the next one. Any other outcome than a clean
 * success of the slot discards the content that was built ahead.
 *
 * <p>Pure and not thread-safe: the driver calls it on one thread at a time. Safety depends only on
 * the condition of each effect, not on when or how often effects take place.
 */
public final class SlotWriter {
  private final WriterPolicy policy;
  private final Linger linger;
  private final PendingEffects pending = new PendingEffects();
  private final Recovery recovery = new Recovery(pending);
  private WriterPhase phase = WriterPhase.NEW;
  private int failures;
  private boolean stopping;
  private @Nullable LogHead head;
  private @Nullable SlotContent content;
  private @Nullable SlotContent ahead;

  /** The phases of the writer. */
  private enum WriterPhase {
    NEW,
    /** Finds the log's state; {@link Recovery} has the steps. */
    RECOVERING,
    /** Waits before it recovers again. */
    WAITING_TO_RECOVER,
    READING,
    /** Waits for the next read. */
    LINGERING,
    PLANNING,
    PUTTING,
    /** Looks which object has the slot's key. */
    COMPARING,
    WAITING_TO_PUT_AGAIN,
    WAITING_TO_COMPARE,
    /** The slot is in the store, and the next slot's content is still being built. */
    AWAITING_AHEAD,
    SETTLING,
    ENDED;

    /** Returns whether no slot is under way that should be finished before the writer ends. */
    boolean isBetweenSlots() {
      return switch (this) {
        case NEW, READING, LINGERING, WAITING_TO_RECOVER -> true;
        default -> false;
      };
    }
  }

  public SlotWriter(WriterPolicy policy) {
    this.policy = policy;
    this.linger = new Linger(policy);
  }

  /** Begins the term. */
  public List<Ticketed> start() {
    recover();
    return pending.drain();
  }

  /**
   * Asks for a graceful end. A slot that is planned or under way is finished first, and the next is
   * not begun. The answer may already be {@link Effect.Finish}.
   */
  public List<Ticketed> stop() {
    stopping = true;
    if (phase.isBetweenSlots()) {
      finish(EndingKind.STOPPED, "asked to stop between two slots");
    }
    return pending.drain();
  }

  /**
   * Takes the answer to the effect with {@code ticket}. An answer that is not awaited changes
   * nothing.
   */
  public List<Ticketed> on(long ticket, Event event, long now) {
    if (pending.takeBeside(ticket)) {
      onBeside(event, now);
    } else if (pending.take(ticket)) {
      onAwaited(event, now);
    }
    return pending.drain();
  }

  public boolean hasEnded() {
    return phase == WriterPhase.ENDED;
  }

  /** Returns the phase and slot, for logs and traces. */
  @Override
  public String toString() {
    Object at = phase == WriterPhase.RECOVERING ? recovery : phase;
    return at + (head == null ? "" : " after slot " + head.lastSlot());
  }

  private void onAwaited(Event event, long now) {
    if (event instanceof Event.LeaseEnded) {
      failures = 0; // The next heartbeat may renew the lease: retry soon.
    }
    if (event instanceof Event.LeaseEnded || event instanceof Event.DatabaseUnclear) {
      waitToRecover(now);
    } else if (event instanceof Event.Fenced) {
      forgetContent();
      recover();
    } else if (event instanceof Event.Final last) {
      finish(last.ends(), last.why());
    } else {
      onPhase(event, now);
    }
  }

  private void onPhase(Event event, long now) {
    switch (phase) {
      case RECOVERING -> onRecovering(recovery.on(event), now);
      case READING -> onRead(event, now);
      case LINGERING -> read(now);
      case PLANNING -> onPlanned((Event.Planned) event);
      case PUTTING -> onPut(event);
      case COMPARING -> onCompared(event, now);
      case WAITING_TO_PUT_AGAIN -> put();
      case WAITING_TO_COMPARE -> compare();
      case SETTLING -> onSettled((Event.Settled) event, now);
      case WAITING_TO_RECOVER -> recover();
      case NEW, AWAITING_AHEAD, ENDED -> throw new IllegalStateException(event + " in " + phase);
    }
  }

  private void recover() {
    phase = WriterPhase.RECOVERING;
    recovery.load();
  }

  private void onRecovering(Recovery.RecoveryStanding standing, long now) {
    switch (standing) {
      case UNDER_WAY -> {}
      case UNCLEAR -> waitToRecover(now);
      case REFUSED -> finish(EndingKind.REFUSED, recovery.refusal());
      case RECOVERED -> {
        head = recovery.head();
        beginSlot(now);
      }
    }
  }

  private void waitToRecover(long now) {
    forgetContent();
    if (stopping) {
      finish(EndingKind.STOPPED, "asked to stop while the database or the store gave no answer");
      return;
    }
    phase = WriterPhase.WAITING_TO_RECOVER;
    wakeAfterFailure(now);
  }

  private void beginSlot(long now) {
    if (stopping) {
      finish(EndingKind.STOPPED, "asked to stop after slot " + head().lastSlot());
    } else {
      read(now);
    }
  }

  private void read(long now) {
    phase = WriterPhase.READING;
    linger.reads(now);
    long last = head().lastSlot();
    pending.send(new Effect.Read(last + 1, last, head().position(), !linger.takesPart(now)));
  }

  private void onRead(Event event, long now) {
    failures = 0;
    if (event instanceof Event.Built built) {
      content = built.content();
      linger.tookRows();
      phase = WriterPhase.PLANNING;
      pending.send(new Effect.Plan(built.content()));
    } else if (event instanceof Event.NoRoom) {
      rest(new Effect.Wake(now + policy.firstRetry().toNanos())); // Other slots release memory.
    } else if (event instanceof Event.Paused) {
      rest(Linger.whilePaused(now));
    } else {
      linger.tookNothing(event instanceof Event.NotFull seen ? seen.missing() : 0);
      rest(linger.rest());
    }
  }

  private void rest(Effect until) {
    phase = WriterPhase.LINGERING;
    pending.send(until);
  }

  /**
   * Puts the slot with the window of its row in {@code slots}, which may be an earlier plan's.
   * Readers of these rows then find slots whose windows follow each other without a gap.
   */
  private void onPlanned(Event.Planned planned) {
    content = content().under(planned.earlier());
    put();
  }

  private void put() {
    phase = WriterPhase.PUTTING;
    SlotContent current = content();
    pending.send(new Effect.Put(current, chain()));
    boolean worthBuildingAhead = current.more() && failures == 0 && !stopping;
    if (worthBuildingAhead && ahead == null && !pending.awaitsBeside()) {
      long next = current.slot() + 1;
      pending.sendBeside(new Effect.Read(next, next - 2, current.after(), linger.waits()));
    }
  }

  private void onBeside(Event event, long now) {
    if (phase == WriterPhase.RECOVERING) {
      onRecovering(recovery.onBeside(event), now);
      return;
    }
    ahead = event instanceof Event.Built built ? built.content() : null;
    linger.readAhead(ahead != null, now);
    if (phase == WriterPhase.AWAITING_AHEAD) {
      settle();
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

  /** Looks at the object itself, after a 412 or no answer to the PUT. */
  private void compare() {
    phase = WriterPhase.COMPARING;
    pending.send(new Effect.Look(content().slot()));
  }

  private void onCompared(Event event, long now) {
    if (event instanceof Event.Found found) {
      if (content().isIn(found.object(), chain())) {
        isInStore();
      } else {
        forgetContent();
        phase = WriterPhase.RECOVERING;
        recovery.adopt(head(), found.object());
      }
    } else {
      // If absent, put the same bytes to the same key again. Never rebuild them, and never continue
      // with the next slot.
      boolean absent = event instanceof Event.Missing;
      phase = absent ? WriterPhase.WAITING_TO_PUT_AGAIN : WriterPhase.WAITING_TO_COMPARE;
      wakeAfterFailure(now);
    }
  }

  private void isInStore() {
    failures = 0;
    if (pending.awaitsBeside()) {
      phase = WriterPhase.AWAITING_AHEAD;
    } else {
      settle();
    }
  }

  private void settle() {
    phase = WriterPhase.SETTLING;
    pending.send(new Effect.Settle(content(), chain(), stopping ? null : ahead));
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
      rest(linger.rest());
    }
  }

  private void forgetContent() {
    content = null;
    forgetAhead();
  }

  private void forgetAhead() {
    ahead = null;
    pending.forgetBeside();
  }

  private void wakeAfterFailure(long now) {
    pending.send(new Effect.Wake(now + policy.retryNanos(failures++)));
  }

  private void finish(EndingKind kind, String why) {
    phase = WriterPhase.ENDED;
    forgetContent();
    pending.sendLast(new Effect.Finish(new Ending(kind, why)));
  }

  /**
   * Returns the chain up to and including the slot under way. All slots before it are settled, so
   * their hashes are known.
   */
  private LogChain chain() {
    return head().chain().then(content().sha256());
  }

  private LogHead head() {
    return Objects.requireNonNull(head, "no head");
  }

  private SlotContent content() {
    return Objects.requireNonNull(content, "no content");
  }
}
