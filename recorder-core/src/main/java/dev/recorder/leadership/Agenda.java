package dev.recorder.leadership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * When a coordinator does what: the moments at which things are due, and what was decided at the
 * last look and is still pending. Pure; not thread-safe. Times are those of a monotonic clock, in
 * nanoseconds.
 */
final class Agenda {
  /** A short pause before a retry. */
  private static final long SOON = Duration.ofMillis(10).toNanos();

  /** How often to look while a recorder is about to be free, or handed to this machine. */
  private static final long CALLED = Duration.ofMillis(5).toNanos();

  /** How long a session that is said to have ended may stay in the server's list. */
  private static final long ENDING = Duration.ofMillis(100).toNanos();

  /** Within this time of a new term the row names it; terms that begin together share a beat. */
  private static final long TOLD_WITHIN = Duration.ofMillis(50).toNanos();

  private static final long FIRST_RECONNECT = Duration.ofMillis(50).toNanos();
  private static final long LONGEST_RECONNECT = Duration.ofSeconds(2).toNanos();

  private final Timing timing;
  private final Deque<ControlAction> decided = new ArrayDeque<>();
  private final PlannedTakeovers takeovers = new PlannedTakeovers();
  private int failedConnects;
  private long connectAt;
  private long beatAt;
  private long watchAt;
  private long closelyUntil;
  private long takeAt;
  private long releaseAt;
  private long registerAt;

  Agenda(Timing timing, long now) {
    this.timing = timing;
    this.connectAt = now;
    this.closelyUntil = now;
    this.takeAt = now;
    this.releaseAt = now;
    this.registerAt = now;
  }

  // ---- what is due

  boolean mayConnect(long now) {
    return now - connectAt >= 0;
  }

  ControlAction.Rest untilConnect() {
    return new ControlAction.Rest(connectAt);
  }

  boolean isBeatDue(long now) {
    return now - beatAt >= 0;
  }

  boolean mayRelease(long now) {
    return now - releaseAt >= 0;
  }

  boolean mayRegister(long now) {
    return now - registerAt >= 0;
  }

  /** A look if it is due, otherwise a rest until something is. */
  ControlAction watchOrRest(long now) {
    return now - watchAt >= 0
        ? new ControlAction.Watch()
        : new ControlAction.Rest(beatAt - watchAt < 0 ? beatAt : watchAt);
  }

  // ---- what moves it

  void connected(long sentAt, long now) {
    failedConnects = 0;
    beatAt = sentAt + timing.heartbeat().toNanos();
    watchAt = now;
  }

  /** Each time in a row it waits twice as long, up to two seconds. */
  void connectLater(long now) {
    int doublings = Math.min(failedConnects++, 20);
    connectAt = now + Math.min(FIRST_RECONNECT << doublings, LONGEST_RECONNECT);
  }

  /** A beat that took longer than its interval must not starve the watch. */
  void renewed(long sentAt, long now) {
    beatAt = Math.max(sentAt + timing.heartbeat().toNanos() - now, SOON) + now;
  }

  /** A look was sent then, and the next is due after {@code pace}. */
  void looked(long sentAt, Duration pace) {
    watchAt = sentAt + (closelyUntil - sentAt > 0 ? CALLED : pace.toNanos());
    takeAt = sentAt;
    forget();
  }

  /** Peers must see at once what has changed. */
  void beatNow(long now) {
    beatAt = now;
  }

  void beatForTerm(long now) {
    if (beatAt - now > TOLD_WITHIN) {
      beatAt = now + TOLD_WITHIN;
    }
  }

  /** There is something again that could be taken over. */
  void hurry(long now) {
    if (watchAt - now > timing.watch().toNanos()) {
      watchAt = now + timing.watch().toNanos();
    }
  }

  void watchNow(long now) {
    watchAt = now;
  }

  void watchSoon(long now) {
    watchAt = now + SOON;
  }

  /** At once, and closely for a moment. */
  void sessionHasEnded(long now) {
    watchAt = now;
    closelyUntil = now + ENDING;
  }

  /** As often as possible. */
  void watchClosely(long from) {
    watchAt = from + CALLED;
  }

  /** The database did not answer an action properly. */
  void onBusy(ControlAction action, long now) {
    if (action instanceof ControlAction.Connect) {
      connectLater(now);
    } else if (action instanceof ControlAction.Beat) {
      beatAt = now + SOON;
    } else if (action instanceof ControlAction.Watch) {
      watchAt = now + timing.watch().toNanos();
    } else if (action instanceof ControlAction.TakeSeveral) {
      takeovers.takeOneByOne();
      watchSoon(now);
    } else if (action instanceof ControlAction.Take) {
      watchSoon(now);
    } else if (action instanceof ControlAction.Register) {
      registerAt = now + timing.watch().toNanos(); // Whoever keeps the row may be dead: look.
    } else if (action instanceof ControlAction.Release) {
      releaseAt = now + timing.watch().toNanos();
    }
  }

  // ---- what was decided

  /** What to do about a recorder for which this machine is active. */
  void decide(ControlAction action) {
    decided.add(action);
  }

  void decide(PlannedTakeover takeover) {
    takeovers.add(takeover);
  }

  void decidedAll() {
    takeovers.decidedAll();
  }

  void forget() {
    decided.clear();
    takeovers.forget();
  }

  void forgetTakeoverOf(int lockId) {
    takeovers.forget(lockId);
  }

  /**
   * All that the holder had is taken next: after a moment, if it had sessions that have to end.
   * Only what is held even then is looked at again.
   */
  void evicted(int sessions, long now) {
    if (sessions > 0) {
      takeAt = now + CALLED;
      watchAt = takeAt;
    }
  }

  @Nullable ControlAction poll(long now) {
    ControlAction eviction = takeovers.nextEviction();
    ControlAction action = eviction != null ? eviction : decided.poll();
    return action == null && now - takeAt >= 0 ? takeovers.nextTakes() : action;
  }
}
