package dev.recorder.leadership;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the active host hands a recorder over gracefully. The target is the host that
 * an operator names, any able host if this one is drained, the primary at a failback, or a peer if
 * the recorder is stuck here.
 *
 * <p>Without a living and able target, the host keeps the recorder.
 */
final class Handover {
  /** The most doublings of the wait for a failback, after terms that ended by a fault. */
  private static final int MOST_DOUBLINGS = 6;

  private final Timing timing;
  private final String me;

  Handover(Timing timing, String me) {
    this.timing = timing;
    this.me = me;
  }

  /** Returns the request to hand the recorder over now; null to keep it. */
  @Nullable HandoverRequest decide(
      RecorderState state,
      RecorderView row,
      ClusterView view,
      SilenceMeasurement silence,
      long now) {
    Predicate<MachineView> ready = machine -> isReady(machine, state.lockId(), silence, now);
    MachineView primary =
        first(view, ready.and(machine -> machine.prefers().contains(state.lockId())));
    state.noteReady(primary == null ? null : primary.name(), now);
    // By then, peers have seen that it is stuck, and have tested their own store again.
    if (state.stuckFor(now).compareTo(timing.takeoverAfter()) >= 0) {
      MachineView peer = first(view, ready);
      return peer == null ? null : new HandoverRequest(peer.name(), HandoverRequest.Why.STUCK);
    }
    HandoverRequest request = row.request();
    if (request != null
        && applies(request, state, now)
        && first(view, ready.and(named(request.to()))) != null) {
      return request;
    }
    if (state.draining) {
      return emptied(state, primary, view, ready);
    }
    if (primary == null || state.candidacy.primary()) {
      return null; // If both hosts are primaries, the active one keeps the recorder.
    }
    if (state.relinquished) {
      return new HandoverRequest(primary.name(), HandoverRequest.Why.FLIP);
    }
    return state.candidacy.failback() == Failback.AUTO
            && state.readyFor(now).compareTo(patience(row.faults())) >= 0
        ? new HandoverRequest(primary.name(), HandoverRequest.Why.FAILBACK)
        : null;
  }

  /**
   * Returns the target of a drained recorder: its primary, or one of the able hosts. Several
   * recorders are distributed among the able hosts.
   */
  private static @Nullable HandoverRequest emptied(
      RecorderState state,
      @Nullable MachineView primary,
      ClusterView view,
      Predicate<MachineView> ready) {
    List<MachineView> peers =
        view.machines().values().stream()
            .filter(ready)
            .sorted(Comparator.comparing(MachineView::name))
            .toList();
    if (peers.isEmpty()) {
      return null;
    }
    MachineView to = primary != null ? primary : peers.get(state.lockId() % peers.size());
    return new HandoverRequest(to.name(), HandoverRequest.Why.OPERATOR);
  }

  private static boolean applies(HandoverRequest request, RecorderState state, long now) {
    return switch (request.why()) {
      case OPERATOR -> !state.isDeaf(now);
      case FLIP -> !state.candidacy.primary();
      case FAILBACK, STUCK -> false; // Requests of the active host in an earlier term.
    };
  }

  /**
   * Returns how long a primary must have been healthy. The time doubles with each fault in a row.
   */
  Duration patience(int faults) {
    return timing.failbackAfter().multipliedBy(1L << doublings(faults));
  }

  /**
   * Returns how long this host may make no progress before it looks for a peer. The time doubles
   * with each fault in a row.
   */
  Duration stuckAfter(int faults) {
    return timing.stuckAfter().multipliedBy(1L << doublings(faults));
  }

  private static int doublings(int faults) {
    return Math.min(MOST_DOUBLINGS, Math.max(0, faults - 1));
  }

  private boolean isReady(MachineView machine, int lockId, SilenceMeasurement silence, long now) {
    return !machine.name().equals(me)
        && machine.sessionAlive()
        && machine.able().contains(lockId)
        && silence.of(machine.name(), now).compareTo(timing.lease()) < 0;
  }

  private static Predicate<MachineView> named(String name) {
    return machine -> machine.name().equals(name);
  }

  private static @Nullable MachineView first(ClusterView view, Predicate<MachineView> wanted) {
    return view.machines().values().stream()
        .filter(wanted)
        .min(Comparator.comparing(MachineView::name))
        .orElse(null);
  }
}
