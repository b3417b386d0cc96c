package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Leadership of one host: a state machine that chooses the next action on the control session, and
 * turns answers into signals for the host's writers.
 *
 * <p>Actions come one at a time, heartbeats first. Pure and not thread-safe: the control loop calls
 * it on one thread. Other threads may read only {@link WriteLease}.
 */
public final class Coordinator {
  private final Timing timing;
  private final WriteLease lease;
  private final ActivePolicy activePolicy;
  private final BlockedStatements blocked = new BlockedStatements();
  private final Standby standby;
  private final SilenceMeasurement silence = new SilenceMeasurement();
  private final RecorderStates states = new RecorderStates();
  private final Agenda agenda;
  private final Roster roster;
  private final List<Signal> out = new ArrayList<>();
  private String peer = "";
  private boolean connected;
  private boolean stopping;
  private boolean reconfigured;

  public Coordinator(
      String machine,
      Timing timing,
      Collection<Candidacy> candidacies,
      WriteLease lease,
      long now) {
    this.timing = timing;
    this.lease = lease;
    this.activePolicy = new ActivePolicy(timing, machine, silence, out::add);
    this.standby = new Standby(timing, machine, silence, out::add);
    this.agenda = new Agenda(timing, now);
    this.roster = new Roster(states, agenda, activePolicy, out::add);
    candidacies.forEach(states::of);
  }

  /**
   * Returns the next action. A {@link ControlAction.Rest} may be cut short after any call that
   * changes the coordinator's state.
   */
  public ControlAction next(long now) {
    if (!connected) {
      return agenda.mayConnect(now)
          ? new ControlAction.Connect(states.able())
          : agenda.untilConnect();
    }
    if (agenda.isBeatDue(now)) {
      return new ControlAction.Beat(states.active(), states.able(), states.stuck());
    }
    ControlAction release = agenda.mayRelease(now) ? states.release() : null;
    if (release != null) {
      return release;
    }
    if (reconfigured && agenda.mayRegister(now)) {
      return new ControlAction.Register(states.active(), states.able());
    }
    ControlAction action = agenda.poll(now);
    return action == null ? agenda.watchOrRest(now) : action;
  }

  /**
   * Takes the answer to {@code action}.
   *
   * @param sentAt the time just before the action was sent, from which its validity counts
   */
  public List<Signal> on(ControlAction action, long sentAt, ControlAnswer answer, long now) {
    if (!(answer instanceof ControlAnswer.Busy)) {
      blocked.passed(action);
    }
    if (action instanceof ControlAction.Accept accept) {
      RecorderState state = states.ofTerm(accept.lockId(), accept.epoch());
      activePolicy.asked(state, accept, answer instanceof ControlAnswer.Accepted, now);
    }
    if (answer instanceof ControlAnswer.SessionLost lost) {
      onSessionLost(lost.why(), now);
    } else if (answer instanceof ControlAnswer.NameInUse taken) {
      agenda.connectLater(now);
      out.add(new Signal.NameTaken(taken.why()));
    } else if (action instanceof ControlAction.Announce announce) {
      activePolicy.announced(states.find(announce.lockId()), announce); // Also after a refusal.
    } else if (answer instanceof ControlAnswer.Busy busy) {
      agenda.onBusy(action, now);
      blocked.met(action, busy.why(), now).ifPresent(out::add);
    } else if (answer instanceof ControlAnswer.Registered) {
      reconfigured = false;
    } else if (answer instanceof ControlAnswer.Connected up) {
      onConnected(up, sentAt, now);
    } else if (answer instanceof ControlAnswer.Renewed) {
      lease.extendTo(sentAt + timing.lease().toNanos());
      agenda.renewed(sentAt, now);
    } else if (answer instanceof ControlAnswer.Seen seen) {
      onSeen(seen.view(), sentAt, now);
    } else if (action instanceof ControlAction.Take take) {
      onTake(take, answer, now);
    } else if (answer instanceof ControlAnswer.TookSeveral several) {
      List<ControlAction.Take> takes = ((ControlAction.TakeSeveral) action).takes();
      for (int i = 0; i < takes.size(); i++) {
        onTake(takes.get(i), several.answers().get(i), now);
      }
    } else if (answer instanceof ControlAnswer.Evicted evicted) {
      agenda.evicted(evicted.sessions(), now);
    } else if (action instanceof ControlAction.Release release) {
      onReleased(release, now);
    }
    return drain();
  }

  /**
   * Sets whether this host can take the recorder.
   *
   * @param unable why it cannot; null if it can
   */
  public void setUnable(int lockId, @Nullable String unable, long now) {
    RecorderState state = states.find(lockId);
    if (state == null) {
      return; // Removed while it was being checked.
    }
    boolean changed = (state.unable == null) != (unable == null);
    state.unable = unable;
    if (changed) {
      agenda.beatNow(now);
      agenda.watchNow(now);
    }
  }

  /** Notes that the writer of this term has ended by itself, so that the term is released. */
  public void release(int lockId, long epoch, String why) {
    RecorderState state = states.ofTerm(lockId, epoch);
    if (state != null) {
      state.releaseWhy = state.leavingTo == null ? why : state.leavingTo.toString();
    }
  }

  /**
   * Returns the host that, at the last watch, held most of the recorders for which this host is
   * standby; empty if none did.
   */
  public String peer() {
    return peer;
  }

  /**
   * Makes a watch due at once, as a peer's session may have ended. The hint alone decides nothing.
   */
  public void peerMayHaveEnded(long now) {
    agenda.sessionHasEnded(now);
  }

  /** Notes the last time at which the writer of this term made progress or had nothing to do. */
  public void noteProgress(int lockId, long epoch, long at) {
    states.noteProgress(lockId, epoch, at);
  }

  /**
   * Takes a changed configuration: recorders are added or removed, or change their preference. If
   * an active host has ceased to be primary, it hands over to the new primary at once. If an active
   * host's recorder is removed, the host releases it, and {@link Signal.Removed} follows.
   */
  public void reconfigure(Collection<Candidacy> candidacies, long now) {
    reconfigured = true;
    agenda.watchNow(now);
    roster.become(candidacies, now);
  }

  /** Drains this host of these recorders: it hands over each one that another host can take. */
  public void drain(IntPredicate which, long now) {
    states.drain(which);
    agenda.beatNow(now);
    agenda.watchNow(now);
  }

  /** Returns the signals that no answer has caused. */
  public List<Signal> pending() {
    return drain();
  }

  /** Begins no new terms from now on. */
  public void stop() {
    stopping = true;
    states.stop();
    agenda.forget();
  }

  public boolean isConnected() {
    return connected;
  }

  /** Returns whether this host is active for any recorder. */
  public boolean holdsAny() {
    return states.holdsAny();
  }

  /** Returns whether this host is active for the recorder. */
  public boolean holds(int lockId) {
    RecorderState state = states.find(lockId);
    return state != null && state.isActive();
  }

  private void onConnected(ControlAnswer.Connected up, long sentAt, long now) {
    connected = true;
    reconfigured = false;
    lease.extendTo(sentAt + timing.lease().toNanos());
    agenda.connected(sentAt, now);
    out.add(new Signal.Up(up.pid()));
  }

  private void onSessionLost(String why, long now) {
    boolean wasConnected = connected;
    connected = false;
    peer = "";
    lease.end();
    silence.forget();
    agenda.forget();
    agenda.connectLater(now);
    for (RecorderState state : states.all()) {
      Term term = state.term;
      state.forgetSession();
      if (term != null) {
        out.add(new Signal.TermEnded(term.lockId(), term.epoch(), "control session lost: " + why));
      }
      if (state.removed) {
        roster.remove(state, now);
      }
    }
    // Sent after the ends of terms, so that work which is aborted because of it does not count as a
    // failure.
    out.add(wasConnected ? new Signal.Down(why) : new Signal.Unreachable(why));
  }

  private void onSeen(ClusterView view, long sentAt, long now) {
    agenda.looked(sentAt, pace());
    view.machines().values().forEach(m -> silence.observe(m.name(), m.beat(), now));
    for (RecorderState state : states.all()) {
      Term term = state.term;
      if (term != null) {
        boolean wasStuck = state.stuckSince != null;
        activePolicy.consider(state, term, view, sentAt, now, !stopping).ifPresent(agenda::decide);
        if (wasStuck != (state.stuckSince != null)) {
          agenda.beatNow(now); // Peers test their own access to the store when they see this.
        }
      } else if (!stopping) {
        standby.consider(state, view, sentAt, now).ifPresent(agenda::decide);
        if (standby.isCalled(state, now)) {
          agenda.watchClosely(sentAt);
        }
      }
    }
    agenda.decidedAll();
    peer = states.mostFrequentHolder(view);
  }

  /**
   * Returns the watch interval, which is longer if this host is active for all its recorders: then
   * it has nothing to take over.
   */
  private Duration pace() {
    if (states.isEmpty()) {
      return timing.heartbeat();
    }
    return states.holdsAll() ? timing.calmWatch() : timing.watch();
  }

  private void onTake(ControlAction.Take take, ControlAnswer answer, long now) {
    RecorderState state = states.of(take.lockId());
    if (answer instanceof ControlAnswer.Taken taken) {
      state.begin(taken.term(), now);
      agenda.beatForTerm(now);
      out.add(new Signal.TermBegun(taken.term(), taken.receipt()));
    } else if (take.reason() == TakeoverReason.SILENT) {
      agenda.watchClosely(now); // Its holder was just evicted, and its session is about to end.
    } else {
      // LockHeld: the holder is gone or going, so the lock is free in a moment. Moved: watch again.
      agenda.watchSoon(now);
    }
  }

  private void onReleased(ControlAction.Release release, long now) {
    RecorderState state = states.of(release.lockId());
    Term term = state.term;
    state.forgetSession();
    agenda.hurry(now);
    if (term != null) {
      out.add(new Signal.TermEnded(term.lockId(), term.epoch(), release.why()));
    }
    if (state.removed) {
      roster.remove(state, now);
    } else if (release.to() != null && release.to().why() == HandoverRequest.Why.STUCK) {
      state.unable = "it made no progress here: checking what was in its way";
      agenda.beatNow(now);
      out.add(new Signal.Recheck(state.lockId(), state.unable));
    }
  }

  private List<Signal> drain() {
    List<Signal> signals = List.copyOf(out);
    out.clear();
    return signals;
  }
}
