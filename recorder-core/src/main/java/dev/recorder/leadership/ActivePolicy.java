package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a machine does about a recorder for which it is active: it keeps the term, says when it is
 * stuck, and leaves gracefully. The counterpart of {@link Standby}.
 */
final class ActivePolicy {
  /** Somebody who locks an order must not delay the heartbeats again and again. */
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
   * Takes a look at the recorder's row and at the others.
   *
   * @param asOf when the look was sent
   * @param mayLeave whether it may be handed over, if there is a reason
   * @return what to ask the database, or to tell the machine to which it goes, before it goes
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
      // It may be withdrawn until it is accepted: until then nothing is left on its account.
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

  /** The machine to which it goes knows, or does not; to know only saves it time. */
  void announced(@Nullable RecorderState state, ControlAction.Announce announce) {
    if (state != null && state.releaseWhy == null && state.leaveBy != null) {
      signals.accept(
          new Signal.Leaving(announce.lockId(), announce.epoch(), announce.request().toString()));
    }
  }

  /** An operator's order is ours, or it is no longer there: then it has no effect. */
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

  /** Lets what is under way settle, within a limit. */
  void leave(RecorderState state, Term term, String why, long now) {
    noteDeadline(state, now);
    signals.accept(new Signal.Leaving(term.lockId(), term.epoch(), why));
  }

  private void noteDeadline(RecorderState state, long now) {
    if (state.leaveBy == null) {
      state.leaveBy = now + timing.takeoverAfter().toNanos();
    }
  }

  /** Stops the writer at once; the lock is released next. */
  private void end(RecorderState state, Term term, String why) {
    if (state.releaseWhy == null) {
      state.releaseWhy = why;
      signals.accept(new Signal.TermEnded(term.lockId(), term.epoch(), why));
    }
  }
}
