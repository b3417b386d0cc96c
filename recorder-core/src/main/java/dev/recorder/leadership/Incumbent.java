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
final class Incumbent {
  /** Somebody who locks an order must not delay the heartbeats again and again. */
  private static final Duration DEAF = Duration.ofSeconds(1);

  private final Handover handover;
  private final Silence silence;
  private final Timing timing;
  private final String me;
  private final Consumer<Signal> signals;

  Incumbent(Timing timing, String me, Silence silence, Consumer<Signal> signals) {
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
      Seat seat, Term term, ClusterView view, long asOf, long now, boolean mayLeave) {
    RecorderView row = view.recorders().get(seat.lockId());
    if (row == null || row.epoch() != term.epoch() || !me.equals(row.holder())) {
      String named = row == null ? "none" : String.valueOf(row.epoch());
      end(seat, term, "the recorder's row names epoch " + named + ", ours was " + term.epoch());
      return Optional.empty();
    }
    noteStuck(seat, row, now);
    Long leaveBy = seat.leaveBy;
    if (leaveBy != null && now - leaveBy >= 0) {
      end(seat, term, "what was under way did not settle in time");
    }
    if (leaveBy != null || seat.releaseWhy != null || !mayLeave) {
      return Optional.empty();
    }
    Wish to = handover.decide(seat, row, view, silence, asOf);
    if (to == null) {
      return Optional.empty();
    }
    boolean announced = to.equals(row.wish());
    if (announced && to.why() == Wish.Why.OPERATOR && !seat.isDeaf(asOf)) {
      // It may be withdrawn until it is accepted: until then nothing is left on its account.
      return Optional.of(new ControlAction.Accept(term.lockId(), term.epoch(), to));
    }
    return leave(seat, term, to, announced, now);
  }

  private void noteStuck(Seat seat, RecorderView row, long now) {
    boolean stuck = now - seat.progressAt >= handover.stuckAfter(row.faults()).toNanos();
    if (stuck != (seat.stuckSince != null)) {
      seat.stuckSince = stuck ? now : null;
    }
  }

  private Optional<ControlAction> leave(
      Seat seat, Term term, Wish to, boolean announced, long now) {
    seat.leavingTo = to;
    if (to.why() == Wish.Why.STUCK) {
      end(seat, term, to.toString());
    } else if (announced) {
      leave(seat, term, to.toString(), now);
    } else {
      noteDeadline(seat, now);
      return Optional.of(new ControlAction.Announce(term.lockId(), term.epoch(), to));
    }
    return Optional.empty();
  }

  /** The machine to which it goes knows, or does not; to know only saves it time. */
  void announced(@Nullable Seat seat, ControlAction.Announce announce) {
    if (seat != null && seat.releaseWhy == null && seat.leaveBy != null) {
      signals.accept(
          new Signal.Leaving(announce.lockId(), announce.epoch(), announce.wish().toString()));
    }
  }

  /** An operator's order is ours, or it is no longer there: then it has no effect. */
  void asked(@Nullable Seat seat, ControlAction.Accept accept, boolean accepted, long now) {
    if (seat == null) {
      return;
    } else if (!accepted) {
      seat.deafUntil = now + DEAF.toNanos();
      return;
    }
    seat.leavingTo = accept.wish();
    if (seat.releaseWhy == null && seat.leaveBy == null) {
      noteDeadline(seat, now);
      signals.accept(new Signal.Leaving(accept.lockId(), accept.epoch(), accept.wish().toString()));
    }
  }

  /** Lets what is under way settle, within a limit. */
  void leave(Seat seat, Term term, String why, long now) {
    noteDeadline(seat, now);
    signals.accept(new Signal.Leaving(term.lockId(), term.epoch(), why));
  }

  private void noteDeadline(Seat seat, long now) {
    if (seat.leaveBy == null) {
      seat.leaveBy = now + timing.takeoverAfter().toNanos();
    }
  }

  /** Stops the writer at once; the lock is released next. */
  private void end(Seat seat, Term term, String why) {
    if (seat.releaseWhy == null) {
      seat.releaseWhy = why;
      signals.accept(new Signal.TermEnded(term.lockId(), term.epoch(), why));
    }
  }
}
