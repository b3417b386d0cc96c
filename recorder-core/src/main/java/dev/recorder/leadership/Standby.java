package dev.recorder.leadership;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a host for a recorder for which it is not active: judges the result of a watch, and
 * decides whether and how to become active.
 */
final class Standby {
  private static final String DRAINED = "this host is drained, and takes nothing";

  private final Election election;
  private final SilenceMeasurement silence;
  private final Timing timing;
  private final String me;
  private final Consumer<Signal> signals;

  Standby(Timing timing, String me, SilenceMeasurement silence, Consumer<Signal> signals) {
    this.election = new Election(timing, me);
    this.silence = silence;
    this.timing = timing;
    this.me = me;
    this.signals = signals;
  }

  /**
   * Returns the takeover by which this host becomes active; empty to stay standby.
   *
   * @param asOf when the watch was sent, so that a pause of this host before the answer does not
   *     count as silence
   */
  Optional<PlannedTakeover> consider(RecorderState state, ClusterView view, long asOf, long now) {
    RecorderView row = view.recorders().get(state.lockId());
    noteVacancy(state, row, now);
    noteCall(state, row, now);
    recheck(state, row, view);
    Decision decision =
        election.decide(
            state.candidacy, unable(state, row), view, state.vacantFor(asOf), silence, asOf);
    boolean toldAlready = decision.why().equals(state.lastWhy);
    state.lastWhy = decision.why();
    TakeoverReason reason = decision.reason();
    if (reason != null && row != null) {
      return Optional.of(takeover(state, row, decision, reason, view));
    } else if (!toldAlready) {
      signals.accept(new Signal.StandingBy(state.lockId(), decision.why()));
    }
    return Optional.empty();
  }

  /**
   * Returns why this host cannot take the recorder. A drained host takes no new recorder. Two
   * recorders are not new: one that this host held last, as before the loss of its session, and one
   * that was handed to this host before the other host knew of the drain.
   */
  private @Nullable String unable(RecorderState state, @Nullable RecorderView row) {
    if (state.unable != null || !state.draining || row == null) {
      return state.unable;
    }
    HandoverRequest request = row.request();
    boolean handedOver = row.holder() == null && request != null && request.to().equals(me);
    return handedOver || row.epoch() == state.lastEpoch ? null : DRAINED;
  }

  /**
   * Returns whether the recorder is about to be handed to this host, so that it must watch closely.
   */
  boolean isCalled(RecorderState state, long now) {
    Long since = state.calledSince;
    return since != null && now - since < timing.takeoverAfter().toNanos();
  }

  private static void noteVacancy(RecorderState state, @Nullable RecorderView row, long now) {
    boolean vacant = row != null && row.holder() == null;
    if (!vacant) {
      state.vacantSince = null;
    } else if (state.vacantSince == null) {
      state.vacantSince = now;
    }
  }

  private void noteCall(RecorderState state, @Nullable RecorderView row, long now) {
    HandoverRequest request = row == null ? null : row.request();
    if (request == null || !request.to().equals(me)) {
      state.calledSince = null;
    } else if (state.calledSince == null) {
      state.calledSince = now;
    }
  }

  /**
   * Asks for a new check of this host's ability if the holder is stuck, as the holder then looks
   * for an able peer.
   */
  private void recheck(RecorderState state, @Nullable RecorderView row, ClusterView view) {
    String holder = row == null ? null : row.holder();
    MachineView machine = holder == null ? null : view.machine(holder);
    Set<Integer> stuck = machine == null ? Set.of() : machine.stuck();
    boolean asked = stuck.contains(state.lockId());
    if (asked && !state.rechecking && state.unable == null) {
      String why = holder + " is stuck; testing S3 from here before taking over";
      state.unable = why;
      signals.accept(new Signal.Recheck(state.lockId(), why));
    }
    state.rechecking = asked;
  }

  private PlannedTakeover takeover(
      RecorderState state,
      RecorderView row,
      Decision decision,
      TakeoverReason reason,
      ClusterView view) {
    String holder = row.holder();
    MachineView machine = holder == null ? null : view.machine(holder);
    ControlAction.Evict eviction = null;
    if (decision.evict() && holder != null && machine != null) {
      state.evictedEpoch = row.epoch();
      eviction = new ControlAction.Evict(holder, machine.beat(), state.lockId());
    }
    return new PlannedTakeover(eviction, take(state, row, decision, reason));
  }

  private static ControlAction.Take take(
      RecorderState state, RecorderView row, Decision decision, TakeoverReason reason) {
    boolean evicted = state.evictedEpoch == row.epoch() && reason == TakeoverReason.DIED;
    return new ControlAction.Take(
        state.lockId(),
        row.holder(),
        row.epoch(),
        evicted ? TakeoverReason.SILENT : reason,
        evicted ? row.holder() + " was silent and has been evicted" : decision.why());
  }
}
