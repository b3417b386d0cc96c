package dev.recorder.leadership;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a machine does about a recorder for which it is not active: it judges what it saw, and
 * decides how it would become active.
 */
final class Standby {
  private static final String DRAINED = "this machine is drained, and takes nothing";

  private final Election election;
  private final Silence silence;
  private final Timing timing;
  private final String me;
  private final Consumer<Signal> signals;

  Standby(Timing timing, String me, Silence silence, Consumer<Signal> signals) {
    this.election = new Election(timing, me);
    this.silence = silence;
    this.timing = timing;
    this.me = me;
    this.signals = signals;
  }

  /**
   * How to become active for the recorder, if this machine is to be.
   *
   * @param asOf when the look was sent: a pause of our own before its answer does not count as
   *     silence
   */
  Optional<PlannedTakeover> consider(Seat seat, ClusterView view, long asOf, long now) {
    RecorderView row = view.recorders().get(seat.lockId());
    noteVacancy(seat, row, now);
    noteCall(seat, row, now);
    recheck(seat, row, view);
    Decision decision =
        election.decide(
            seat.candidacy, unable(seat, row), view, seat.vacantFor(asOf), silence, asOf);
    boolean toldAlready = decision.why().equals(seat.lastWhy);
    seat.lastWhy = decision.why();
    TakeoverReason reason = decision.reason();
    if (reason != null && row != null) {
      return Optional.of(takeover(seat, row, decision, reason, view));
    } else if (!toldAlready) {
      signals.accept(new Signal.StandingBy(seat.lockId(), decision.why()));
    }
    return Optional.empty();
  }

  /**
   * A machine that is drained takes nothing new: neither what it had when nobody has had it since,
   * as if its session was lost, nor what was handed to it before the other heard of it, is new.
   */
  private @Nullable String unable(Seat seat, @Nullable RecorderView row) {
    if (seat.unable != null || !seat.draining || row == null) {
      return seat.unable;
    }
    Wish wish = row.wish();
    boolean handedOver = row.holder() == null && wish != null && wish.to().equals(me);
    return handedOver || row.epoch() == seat.lastEpoch ? null : DRAINED;
  }

  /** Whether the recorder is about to be handed to this machine, so that each look counts. */
  boolean isCalled(Seat seat, long now) {
    Long since = seat.calledSince;
    return since != null && now - since < timing.takeoverAfter().toNanos();
  }

  private static void noteVacancy(Seat seat, @Nullable RecorderView row, long now) {
    boolean vacant = row != null && row.holder() == null;
    if (!vacant) {
      seat.vacantSince = null;
    } else if (seat.vacantSince == null) {
      seat.vacantSince = now;
    }
  }

  private void noteCall(Seat seat, @Nullable RecorderView row, long now) {
    Wish wish = row == null ? null : row.wish();
    if (wish == null || !wish.to().equals(me)) {
      seat.calledSince = null;
    } else if (seat.calledSince == null) {
      seat.calledSince = now;
    }
  }

  /** A holder that is stuck looks for a peer that is not: find out whether this machine is one. */
  private void recheck(Seat seat, @Nullable RecorderView row, ClusterView view) {
    String holder = row == null ? null : row.holder();
    MachineView machine = holder == null ? null : view.machine(holder);
    Set<Integer> stuck = machine == null ? Set.of() : machine.stuck();
    boolean asked = stuck.contains(seat.lockId());
    if (asked && !seat.rechecking && seat.unable == null) {
      String why =
          holder + " makes no progress with it: it is being checked whether this machine could";
      seat.unable = why;
      signals.accept(new Signal.Recheck(seat.lockId(), why));
    }
    seat.rechecking = asked;
  }

  private PlannedTakeover takeover(
      Seat seat, RecorderView row, Decision decision, TakeoverReason reason, ClusterView view) {
    String holder = row.holder();
    MachineView machine = holder == null ? null : view.machine(holder);
    ControlAction.Evict eviction = null;
    if (decision.evict() && holder != null && machine != null) {
      seat.evictedEpoch = row.epoch();
      eviction = new ControlAction.Evict(holder, machine.beat(), seat.lockId());
    }
    return new PlannedTakeover(eviction, take(seat, row, decision, reason));
  }

  private static ControlAction.Take take(
      Seat seat, RecorderView row, Decision decision, TakeoverReason reason) {
    boolean evicted = seat.evictedEpoch == row.epoch() && reason == TakeoverReason.DIED;
    return new ControlAction.Take(
        seat.lockId(),
        row.holder(),
        row.epoch(),
        evicted ? TakeoverReason.SILENT : reason,
        evicted ? row.holder() + " was silent and has been evicted" : decision.why());
  }
}
