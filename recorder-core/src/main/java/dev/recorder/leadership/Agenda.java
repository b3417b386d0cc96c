package dev.recorder.leadership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator's schedule: when its periodic actions are due, and the actions that the last watch
 * decided and that are still pending. Pure; not thread-safe. Times are nanoseconds of a monotonic
 * clock.
 */
final class Agenda {
  /** A short pause before a retry. */
  private static final long SOON = Duration.ofMillis(10).toNanos();

  /** The watch interval while a recorder is about to be free, or to be handed to this host. */
  private static final long CALLED = Duration.ofMillis(5).toNanos();

  /** How long the server may still list a session that has ended. */
  private static final long ENDING = Duration.ofMillis(100).toNanos();

  /**
   * The time within which a heartbeat reports a new term. Terms that begin together share one
   * heartbeat.
   */
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

  // ---- due actions

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

  /** Returns a watch if it is due, otherwise a rest until the next action. */
  ControlAction watchOrRest(long now) {
    return now - watchAt >= 0
        ? new ControlAction.Watch()
        : new ControlAction.Rest(beatAt - watchAt < 0 ? beatAt : watchAt);
  }

  // ---- changes of the schedule

  void connected(long sentAt, long now) {
    failedConnects = 0;
    beatAt = sentAt + timing.heartbeat().toNanos();
    watchAt = now;
  }

  /** Puts off the next connect. The wait doubles with each failure in a row, up to two seconds. */
  void connectLater(long now) {
    int doublings = Math.min(failedConnects++, 20);
    connectAt = now + Math.min(FIRST_RECONNECT << doublings, LONGEST_RECONNECT);
  }

  /**
   * Schedules the next heartbeat. A heartbeat that took longer than its interval must not starve
   * the watch.
   */
  void renewed(long sentAt, long now) {
    beatAt = Math.max(sentAt + timing.heartbeat().toNanos() - now, SOON) + now;
  }

  /** Notes that a watch was sent at {@code sentAt}. The next one is due after {@code pace}. */
  void looked(long sentAt, Duration pace) {
    watchAt = sentAt + (closelyUntil - sentAt > 0 ? CALLED : pace.toNanos());
    takeAt = sentAt;
    forget();
  }

  /** Makes a heartbeat due at once, to show a change to peers. */
  void beatNow(long now) {
    beatAt = now;
  }

  void beatForTerm(long now) {
    if (beatAt - now > TOLD_WITHIN) {
      beatAt = now + TOLD_WITHIN;
    }
  }

  /**
   * Shortens the wait for the next watch to the usual interval, as there may be a recorder to take
   * over.
   */
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

  /** Makes a watch due at once, and shortens the interval for a moment. */
  void sessionHasEnded(long now) {
    watchAt = now;
    closelyUntil = now + ENDING;
  }

  /** Makes the next watch due after the shortest interval. */
  void watchClosely(long from) {
    watchAt = from + CALLED;
  }

  /** Schedules the next attempt of an action that the database refused for the moment. */
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
      registerAt = now + timing.watch().toNanos(); // The blocker may be dead: look.
    } else if (action instanceof ControlAction.Release) {
      releaseAt = now + timing.watch().toNanos();
    }
  }

  // ---- decisions

  /** Adds an action for a recorder for which this host is active. */
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
   * Schedules the takes of the evicted holder's recorders: after a moment if it had sessions that
   * must end, otherwise at once. The next watch judges the recorders that are held even then.
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
