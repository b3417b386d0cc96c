package dev.recorder.leadership;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a standby decides whether to become active. Stateless.
 *
 * <p>Any able standby takes a recorder at once if its holder died. If the recorder was released or
 * never held, it is left to its primary for a while, if the primary can take it.
 */
final class Election {
  private final Timing timing;
  private final String me;

  Election(Timing timing, String me) {
    this.timing = timing;
    this.me = me;
  }

  /**
   * Decides about one recorder.
   *
   * @param unable why this host cannot take the recorder, or null if it can
   * @param vacantFor how long this host has seen the recorder without a holder
   * @param silence the silence of the hosts' heartbeats
   */
  Decision decide(
      Candidacy candidacy,
      @Nullable String unable,
      ClusterView view,
      Duration vacantFor,
      SilenceMeasurement silence,
      long now) {
    RecorderView recorder = view.recorders().get(candidacy.lockId());
    if (recorder == null) {
      return Decision.stay("the recorder has no row in lock_recorders yet");
    }
    if (unable != null) {
      return Decision.stay("not able to take it: " + unable);
    }
    String holder = recorder.holder();
    return holder == null
        ? decideVacant(candidacy, recorder, view, vacantFor, silence, now)
        : decideHeld(recorder, holder, silence, now);
  }

  private Decision decideVacant(
      Candidacy candidacy,
      RecorderView recorder,
      ClusterView view,
      Duration vacantFor,
      SilenceMeasurement silence,
      long now) {
    boolean first = recorder.epoch() == 0;
    String vacant = first ? "it never had an active host" : "it was released";
    HandoverRequest request = recorder.request();
    if (request != null && request.to().equals(me)) {
      return first // A changed file also leaves a request for each new recorder.
          ? Decision.take(TakeoverReason.START, vacant + " and " + request)
          : Decision.take(request.why().reason(), request.toString());
    }
    if (request != null
        && vacantFor.compareTo(timing.takeoverAfter()) < 0
        && isThere(view.machine(request.to()), recorder.lockId(), silence, now)) {
      return Decision.stay(vacant + " and is left to " + request.to() + ": " + request);
    }
    TakeoverReason reason = first ? TakeoverReason.START : TakeoverReason.RELEASED;
    if (candidacy.primary()) {
      return Decision.take(reason, vacant + " and this host is its primary");
    }
    MachineView primary = livingPrimary(recorder, view, silence, now);
    if (primary != null && vacantFor.compareTo(timing.takeoverAfter()) < 0) {
      return Decision.stay(vacant + " and is left to its primary " + primary.name());
    }
    return Decision.take(
        reason,
        vacant
            + (primary == null
                ? " and no primary is there to take it"
                : " and its primary "
                    + primary.name()
                    + " did not take it in "
                    + timing.takeoverAfter().toMillis()
                    + " ms"));
  }

  /**
   * Returns a living primary that may take a vacant recorder; null if there is none. Before the
   * first term, the primary may still be checking its store: otherwise the host that is ready first
   * would become active.
   */
  private @Nullable MachineView livingPrimary(
      RecorderView recorder, ClusterView view, SilenceMeasurement silence, long now) {
    int lockId = recorder.lockId();
    return view.machines().values().stream()
        .filter(machine -> !machine.name().equals(me) && machine.sessionAlive())
        .filter(machine -> machine.prefers().contains(lockId))
        .filter(machine -> machine.able().contains(lockId) || recorder.epoch() == 0)
        .filter(machine -> silence.of(machine.name(), now).compareTo(timing.takeoverAfter()) < 0)
        .findFirst()
        .orElse(null);
  }

  private boolean isThere(
      @Nullable MachineView machine, int lockId, SilenceMeasurement silence, long now) {
    return machine != null
        && machine.sessionAlive()
        && machine.able().contains(lockId)
        && silence.of(machine.name(), now).compareTo(timing.takeoverAfter()) < 0;
  }

  private Decision decideHeld(
      RecorderView recorder, String holder, SilenceMeasurement silence, long now) {
    if (!recorder.termSessionAlive()) {
      return Decision.take(
          TakeoverReason.DIED,
          holder.equals(me)
              ? "this host's own former session that held it is gone"
              : "the session of " + holder + " that held it is gone");
    }
    Duration silent = silence.of(holder, now);
    if (holder.equals(me)) {
      return Decision.stay("this host's own former session that held it has not ended yet");
    }
    return silent.compareTo(timing.takeoverAfter()) >= 0
        ? Decision.evictAndTake(holder + " has been silent for " + silent.toMillis() + " ms")
        : Decision.stay(holder + " is active and beats");
  }
}
