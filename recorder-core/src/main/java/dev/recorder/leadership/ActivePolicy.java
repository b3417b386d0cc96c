package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policy of a host for a recorder for which it is active: keep the term, report when it is
 * stuck, and leave gracefully. The counterpart of {@link Standby}.
 */
final class ActivePolicy {
  /**
   * The pause after an order that could not be accepted: a session that locks the order must not
   * delay heartbeats repeatedly.
   */
  private static final Duration DEAF = Duration.ofSeconds(1);

  private final Handover handover;
  private final SilenceMeasurement silence;
  private final Timing timing;
  private final String me;
  private final Consumer<Signal> signals;

  ActivePolicy(Timing timing, String me, SilenceMeasurement silence, Consumer<Signal> signals) {
    this.handover = new Handover(timing, me);
    this.silence = silence;
    this.timing = timing;
    this.me = me;
    this.signals = signals;
  }

  /**
   * Judges the recorder's row and the other hosts.
   *
   * @param asOf when the watch was sent
   * @param mayLeave whether the recorder may be handed over, if there is a reason
   * @return the action that must precede the hand-over: accept an operator's order, or announce the
   *     hand-over to the next host
   */
  Optional<ControlAction> consider(
      RecorderState state, Term term, ClusterView view, long asOf, long now, boolean mayLeave) {
    RecorderView row = view.recorders().get(state.lockId());
    if (row == null || row.epoch() != term.epoch() || !me.equals(row.holder())) {
      String named = row == null ? "none" : String.valueOf(row.epoch());
      end(state, term, "the recorder's row names epoch " + named + ", ours was " + term.epoch());
      return Optional.empty();
    }
    noteStuck(state, row, now);
    Long leaveBy = state.leaveBy;
    if (leaveBy != null && now - leaveBy >= 0) {
      end(state, term, "what was under way did not settle in time");
    }
    if (leaveBy != null || state.releaseWhy != null || !mayLeave) {
      return Optional.empty();
    }
    HandoverRequest to = handover.decide(state, row, view, silence, asOf);
    if (to == null) {
      return Optional.empty();
    }
    boolean announced = to.equals(row.request());
    if (announced && to.why() == HandoverRequest.Why.OPERATOR && !state.isDeaf(asOf)) {
      // The order may be withdrawn until it is accepted, so the term is not left before.
      return Optional.of(new ControlAction.Accept(term.lockId(), term.epoch(), to));
    }
    return leave(state, term, to, announced, now);
  }

  private void noteStuck(RecorderState state, RecorderView row, long now) {
    boolean stuck = now - state.progressAt >= handover.stuckAfter(row.faults()).toNanos();
    if (stuck != (state.stuckSince != null)) {
      state.stuckSince = stuck ? now : null;
    }
  }

  private Optional<ControlAction> leave(
      RecorderState state, Term term, HandoverRequest to, boolean announced, long now) {
    state.leavingTo = to;
    if (to.why() == HandoverRequest.Why.STUCK) {
      end(state, term, to.toString());
    } else if (announced) {
      leave(state, term, to.toString(), now);
    } else {
      noteDeadline(state, now);
      return Optional.of(new ControlAction.Announce(term.lockId(), term.epoch(), to));
    }
    return Optional.empty();
  }

  /**
   * Notes that the hand-over was announced to the next host, or that the announcement failed. The
   * announcement only saves that host time.
   */
  void announced(@Nullable RecorderState state, ControlAction.Announce announce) {
    if (state != null && state.releaseWhy == null && state.leaveBy != null) {
      signals.accept(
          new Signal.Leaving(announce.lockId(), announce.epoch(), announce.request().toString()));
    }
  }

  /** Notes the answer to an accept. If the order was withdrawn or has expired, it has no effect. */
  void asked(
      @Nullable RecorderState state, ControlAction.Accept accept, boolean accepted, long now) {
    if (state == null) {
      return;
    } else if (!accepted) {
      state.deafUntil = now + DEAF.toNanos();
      return;
    }
    state.leavingTo = accept.request();
    if (state.releaseWhy == null && state.leaveBy == null) {
      noteDeadline(state, now);
      signals.accept(
          new Signal.Leaving(accept.lockId(), accept.epoch(), accept.request().toString()));
    }
  }

  /** Leaves the term: the slot under way may settle, within a limit. */
  void leave(RecorderState state, Term term, String why, long now) {
    noteDeadline(state, now);
    signals.accept(new Signal.Leaving(term.lockId(), term.epoch(), why));
  }

  private void noteDeadline(RecorderState state, long now) {
    if (state.leaveBy == null) {
      state.leaveBy = now + timing.takeoverAfter().toNanos();
    }
  }

  /** Ends the term: the writer stops at once, and the lock is released next. */
  private void end(RecorderState state, Term term, String why) {
    if (state.releaseWhy == null) {
      state.releaseWhy = why;
      signals.accept(new Signal.TermEnded(term.lockId(), term.epoch(), why));
    }
  }
}
