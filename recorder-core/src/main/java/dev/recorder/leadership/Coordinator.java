package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.ControlAction.Rest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Leadership of one machine: a state machine that says what to do next on the control session and
 * turns the answers into signals for the machine's writers.
 *
 * <p>One action at a time, heartbeats first. Pure and not thread-safe: the control loop calls it on
 * one thread; {@link WriteLease} is what other threads may read.
 */
public final class Coordinator {
  private static final long SOON = Duration.ofMillis(10).toNanos();

  /** How often to look while a recorder is about to be handed to this machine. */
  private static final long CALLED = Duration.ofMillis(5).toNanos();

  /** So that a heartbeat need not wait long behind them. */
  private static final int MOST_AT_ONCE = 64;

  /** Within this time of a new term the row names it; terms that begin together share a beat. */
  private static final long TOLD_WITHIN = Duration.ofMillis(50).toNanos();

  private static final long FIRST_RECONNECT = Duration.ofMillis(50).toNanos();
  private static final long LONGEST_RECONNECT = Duration.ofSeconds(2).toNanos();

  private final Timing timing;
  private final WriteLease lease;
  private final Incumbent incumbent;
  private final Obstacle obstacle = new Obstacle();
  private final Standby standby;
  private final Silence silence = new Silence();
  private final Map<Integer, Seat> seats = new TreeMap<>();
  private final Deque<ControlAction> decided = new ArrayDeque<>();
  private final List<Signal> out = new ArrayList<>();
  private boolean connected;
  private boolean stopping;
  private boolean reconfigured;
  private boolean oneByOne;
  private int failedConnects;
  private long nextConnectAt;
  private long nextBeatAt;
  private long nextWatchAt;
  private long nextReleaseAt;
  private long nextRegisterAt;

  public Coordinator(
      String machine,
      Timing timing,
      Collection<Candidacy> candidacies,
      WriteLease lease,
      long now) {
    this.timing = timing;
    this.lease = lease;
    this.incumbent = new Incumbent(timing, machine, silence, out::add);
    this.standby = new Standby(timing, machine, silence, out::add);
    this.nextConnectAt = now;
    this.nextReleaseAt = now;
    this.nextRegisterAt = now;
    candidacies.forEach(candidacy -> seats.put(candidacy.lockId(), new Seat(candidacy)));
  }

  /**
   * What to do now. A {@link Rest} may be cut short whenever something was told to the coordinator.
   */
  public ControlAction next(long now) {
    if (!connected) {
      return now - nextConnectAt < 0
          ? new Rest(nextConnectAt)
          : new ControlAction.Connect(ableIds());
    }
    if (now - nextBeatAt >= 0) {
      return new ControlAction.Beat(activeIds(), ableIds(), stuckIds());
    }
    ControlAction release = now - nextReleaseAt >= 0 ? release() : null;
    if (release != null) {
      return release;
    }
    if (reconfigured && now - nextRegisterAt >= 0) {
      return new ControlAction.Register(activeIds(), ableIds());
    }
    ControlAction action = nextDecided();
    if (action != null) {
      return action;
    }
    return now - nextWatchAt >= 0
        ? new ControlAction.Watch()
        : new Rest(nextBeatAt - nextWatchAt < 0 ? nextBeatAt : nextWatchAt);
  }

  /** Takes that follow one another are one action, if there are more than one. */
  private @Nullable ControlAction nextDecided() {
    ControlAction first = decided.poll();
    if (oneByOne || !(first instanceof ControlAction.Take take)) {
      return first;
    }
    List<ControlAction.Take> takes = new ArrayList<>(List.of(take));
    while (takes.size() < MOST_AT_ONCE && decided.peek() instanceof ControlAction.Take next) {
      takes.add(next);
      decided.poll();
    }
    return takes.size() == 1 ? first : new ControlAction.TakeSeveral(takes);
  }

  private @Nullable ControlAction release() {
    for (Seat seat : seats.values()) {
      Term term = seat.term;
      if (term != null && seat.releaseWhy != null) {
        return new ControlAction.Release(
            seat.lockId(), term.epoch(), seat.releaseWhy, seat.leavingTo);
      }
    }
    return null;
  }

  /**
   * Takes the answer to {@code action}.
   *
   * @param sentAt taken before the action was sent: validity counts from there
   */
  public List<Signal> on(ControlAction action, long sentAt, ControlAnswer answer, long now) {
    if (!(answer instanceof ControlAnswer.Busy)) {
      obstacle.passed(action);
    }
    if (answer instanceof ControlAnswer.SessionLost lost) {
      onSessionLost(lost.why(), now);
    } else if (answer instanceof ControlAnswer.NameTaken taken) {
      nextConnectAt = now + reconnectDelay();
      out.add(new Signal.NameTaken(taken.why()));
    } else if (action instanceof ControlAction.Announce announce) {
      onAnnounced(announce); // Also when it was refused: it only saves time.
    } else if (answer instanceof ControlAnswer.Busy busy) {
      onBusy(action, now);
      obstacle.met(action, busy.why(), now).ifPresent(out::add);
    } else if (answer instanceof ControlAnswer.Registered) {
      reconfigured = false;
    } else if (answer instanceof ControlAnswer.Connected up) {
      onConnected(up, sentAt, now);
    } else if (answer instanceof ControlAnswer.Renewed) {
      lease.extendTo(sentAt + timing.lease().toNanos());
      // A beat that took longer than its interval must not starve the watch.
      nextBeatAt = Math.max(sentAt + timing.heartbeat().toNanos() - now, SOON) + now;
    } else if (answer instanceof ControlAnswer.Seen seen) {
      onSeen(seen.view(), sentAt, now);
    } else if (action instanceof ControlAction.Take take) {
      onTake(take, answer, now);
    } else if (answer instanceof ControlAnswer.TookSeveral several) {
      List<ControlAction.Take> takes = ((ControlAction.TakeSeveral) action).takes();
      for (int i = 0; i < takes.size(); i++) {
        onTake(takes.get(i), several.answers().get(i), now);
      }
    } else if (answer instanceof ControlAnswer.Evicted evicted && evicted.sessions() > 0) {
      // All that the evicted machine held is free in a moment: look, and take it together.
      decided.removeIf(other -> !(other instanceof ControlAction.Announce));
      nextWatchAt = now + CALLED;
    } else if (action instanceof ControlAction.Release release) {
      onReleased(release, now);
    }
    return drain();
  }

  /**
   * Tells whether this machine can take the recorder: {@code unable} says why not, null that it
   * can.
   */
  public void setUnable(int lockId, @Nullable String unable, long now) {
    Seat seat = seats.get(lockId);
    if (seat == null) {
      return; // Removed while it was being checked.
    }
    boolean changed = (seat.unable == null) != (unable == null);
    seat.unable = unable;
    if (changed) {
      nextBeatAt = now;
      nextWatchAt = now;
    }
  }

  /** The writer of this term has ended by itself; let go of the lock. */
  public void release(int lockId, long epoch, String why) {
    Seat seat = seats.get(lockId);
    Term term = seat == null ? null : seat.term;
    if (seat != null && term != null && term.epoch() == epoch) {
      seat.releaseWhy = seat.leavingTo == null ? why : seat.leavingTo.toString();
    }
  }

  /** The last moment at which the writer of this term got on, or had nothing to do. */
  public void noteProgress(int lockId, long epoch, long at) {
    Seat seat = seats.get(lockId);
    Term term = seat == null ? null : seat.term;
    if (seat != null && term != null && term.epoch() == epoch && at - seat.progressAt > 0) {
      seat.progressAt = at;
    }
  }

  /**
   * The configuration has changed: recorders come, go, or change their preference. An active
   * machine that is primary no more hands over to the new primary at once; one that has the
   * recorder no more lets go of it, and {@link Signal.Removed} says when that is done.
   */
  public void reconfigure(Collection<Candidacy> candidacies, long now) {
    reconfigured = true;
    nextWatchAt = now;
    Set<Integer> kept =
        candidacies.stream().map(Candidacy::lockId).collect(Collectors.toUnmodifiableSet());
    for (Candidacy candidacy : candidacies) {
      Seat seat = seats.computeIfAbsent(candidacy.lockId(), id -> new Seat(candidacy));
      boolean flippedAway = seat.candidacy.primary() && !candidacy.primary();
      seat.relinquished =
          seat.isActive() && !candidacy.primary() && (flippedAway || seat.relinquished);
      seat.candidacy = candidacy;
      seat.removed = false;
    }
    for (Seat seat : List.copyOf(seats.values())) {
      if (!kept.contains(seat.lockId())) {
        remove(seat, now);
      }
    }
  }

  private void remove(Seat seat, long now) {
    Term term = seat.term;
    seat.removed = true;
    decided.removeIf(
        action -> action instanceof ControlAction.Take take && take.lockId() == seat.lockId());
    if (term == null) {
      seats.remove(seat.lockId());
      out.add(new Signal.Removed(seat.lockId()));
    } else if (seat.leaveBy == null) {
      incumbent.leave(seat, term, "removed from the configuration", now);
    }
  }

  /** Signals that no answer brought forth. */
  public List<Signal> pending() {
    return drain();
  }

  /** No new terms from now on. */
  public void stop() {
    stopping = true;
    decided.clear();
  }

  public boolean isConnected() {
    return connected;
  }

  /** Whether this machine is active for any recorder. */
  public boolean holdsAny() {
    return seats.values().stream().anyMatch(Seat::isActive);
  }

  /** Whether this machine is active for the recorder. */
  public boolean holds(int lockId) {
    Seat seat = seats.get(lockId);
    return seat != null && seat.isActive();
  }

  private void onConnected(ControlAnswer.Connected up, long sentAt, long now) {
    connected = true;
    reconfigured = false;
    failedConnects = 0;
    lease.extendTo(sentAt + timing.lease().toNanos());
    nextBeatAt = sentAt + timing.heartbeat().toNanos();
    nextWatchAt = now;
    out.add(new Signal.Up(up.pid()));
  }

  private void onSessionLost(String why, long now) {
    boolean wasConnected = connected;
    connected = false;
    lease.end();
    silence.forget();
    decided.clear();
    nextConnectAt = now + reconnectDelay();
    for (Seat seat : List.copyOf(seats.values())) {
      Term term = seat.term;
      seat.forgetSession();
      if (term != null) {
        out.add(new Signal.TermEnded(term.lockId(), term.epoch(), "control session lost: " + why));
      }
      if (seat.removed) {
        remove(seat, now);
      }
    }
    // After the ends of terms: what is aborted for it then is nobody's trouble any more.
    out.add(wasConnected ? new Signal.Down(why) : new Signal.Unreachable(why));
  }

  private long reconnectDelay() {
    int doublings = Math.min(failedConnects++, 20);
    return Math.min(FIRST_RECONNECT << doublings, LONGEST_RECONNECT);
  }

  private void onBusy(ControlAction action, long now) {
    if (action instanceof ControlAction.Beat) {
      nextBeatAt = now + SOON;
    } else if (action instanceof ControlAction.Watch) {
      nextWatchAt = now + timing.watch().toNanos();
    } else if (action instanceof ControlAction.TakeSeveral) {
      oneByOne = true; // One of the rows was not available, and kept the others back.
      nextWatchAt = now + SOON;
    } else if (action instanceof ControlAction.Register) {
      nextRegisterAt = now + timing.watch().toNanos(); // Whoever keeps the row may be dead: look.
    } else if (action instanceof ControlAction.Release) {
      nextReleaseAt = now + timing.watch().toNanos();
    }
  }

  private void onAnnounced(ControlAction.Announce announce) {
    Seat seat = seats.get(announce.lockId());
    if (seat != null && seat.releaseWhy == null && seat.leaveBy != null) {
      out.add(new Signal.Leaving(announce.lockId(), announce.epoch(), announce.wish().toString()));
    }
  }

  private void onSeen(ClusterView view, long sentAt, long now) {
    // Who has nothing to take over need not hurry.
    Duration pause = seats.isEmpty() ? timing.heartbeat() : timing.watch();
    nextWatchAt = sentAt + pause.toNanos();
    decided.clear();
    view.machines().values().forEach(m -> silence.observe(m.name(), m.beat(), now));
    for (Seat seat : seats.values()) {
      Term term = seat.term;
      if (term != null) {
        boolean wasStuck = seat.stuckSince != null;
        incumbent.consider(seat, term, view, sentAt, now, !stopping).ifPresent(decided::add);
        if (wasStuck != (seat.stuckSince != null)) {
          nextBeatAt = now; // Peers look at their own store when they see it.
        }
      } else if (!stopping) {
        decided.addAll(standby.consider(seat, view, sentAt, now));
        if (standby.isCalled(seat, now)) {
          nextWatchAt = sentAt + CALLED;
        }
      }
    }
    oneByOne &= !decided.isEmpty();
  }

  private void onTake(ControlAction.Take take, ControlAnswer answer, long now) {
    Seat seat = seat(take.lockId());
    if (answer instanceof ControlAnswer.Taken taken) {
      seat.begin(taken.term(), now);
      if (nextBeatAt - now > TOLD_WITHIN) {
        nextBeatAt = now + TOLD_WITHIN;
      }
      out.add(new Signal.TermBegun(taken.term(), taken.receipt()));
    } else {
      // Held, though its holder is gone or going: it will be free in a moment. Moved: look again.
      nextWatchAt = now + SOON;
    }
  }

  private void onReleased(ControlAction.Release release, long now) {
    Seat seat = seat(release.lockId());
    Term term = seat.term;
    seat.forgetSession();
    if (term != null) {
      out.add(new Signal.TermEnded(term.lockId(), term.epoch(), release.why()));
    }
    if (seat.removed) {
      remove(seat, now);
    } else if (release.to() != null && release.to().why() == Wish.Why.STUCK) {
      seat.unable = "it made no progress here: checking what was in its way";
      nextBeatAt = now;
      out.add(new Signal.Recheck(seat.lockId(), seat.unable));
    }
  }

  private Set<Integer> activeIds() {
    return seats.values().stream()
        .filter(Seat::isActive)
        .map(Seat::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Set<Integer> ableIds() {
    if (stopping) {
      return Set.of();
    }
    return seats.values().stream()
        .filter(seat -> seat.unable == null)
        .map(Seat::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Set<Integer> stuckIds() {
    return seats.values().stream()
        .filter(seat -> seat.isActive() && seat.stuckSince != null)
        .map(Seat::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Seat seat(int lockId) {
    Seat seat = seats.get(lockId);
    if (seat == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return seat;
  }

  private List<Signal> drain() {
    List<Signal> signals = List.copyOf(out);
    out.clear();
    return signals;
  }
}
