package dev.recorder.leadership;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the active machine hands a recorder over gracefully: to the machine that an
 * operator names, or to whoever is able if this one is drained, back to its primary, or to a peer
 * when it is stuck here.
 *
 * <p>It never lets go towards nobody: without a machine that is there and able, it stays.
 */
final class Handover {
  /** A failback is put off by at most this factor after terms that ended by a fault. */
  private static final int MOST_DOUBLINGS = 6;

  private final Timing timing;
  private final String me;

  Handover(Timing timing, String me) {
    this.timing = timing;
    this.me = me;
  }

  /** The machine that should get the recorder now; null to keep it. */
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
    // Peers that saw it announced have checked their own store again by then.
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
      return null; // With two primaries the first to come stays.
    }
    if (state.relinquished) {
      return new HandoverRequest(primary.name(), HandoverRequest.Why.FLIP);
    }
    return state.candidacy.failback() == Failback.AUTO
            && state.readyFor(now).compareTo(patience(row.faults())) >= 0
        ? new HandoverRequest(primary.name(), HandoverRequest.Why.FAILBACK)
        : null;
  }

  /** To its primary, or to one of those that are able: of many recorders each gets its share. */
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
      case FAILBACK, STUCK -> false; // An active machine's own, of a term before.
    };
  }

  /** How long a primary must have been healthy, which doubles with each fault in a row. */
  Duration patience(int faults) {
    return timing.failbackAfter().multipliedBy(1L << doublings(faults));
  }

  /** How long this machine may make no progress before it looks for a peer. */
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
