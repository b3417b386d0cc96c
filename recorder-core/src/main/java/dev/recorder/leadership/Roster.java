package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Which recorders a machine has, as its configuration changes. One that it should no longer have
 * keeps its seat until its term is over. Pure; not thread-safe.
 */
final class Roster {
  private final Seats seats;
  private final Agenda agenda;
  private final Incumbent incumbent;
  private final Consumer<Signal> out;

  Roster(Seats seats, Agenda agenda, Incumbent incumbent, Consumer<Signal> out) {
    this.seats = seats;
    this.agenda = agenda;
    this.incumbent = incumbent;
    this.out = out;
  }

  /** From now on the machine has these recorders, with these preferences, and no other. */
  void become(Collection<Candidacy> candidacies, long now) {
    Set<Integer> kept =
        candidacies.stream().map(Candidacy::lockId).collect(Collectors.toUnmodifiableSet());
    for (Candidacy candidacy : candidacies) {
      Seat seat = seats.of(candidacy);
      boolean flippedAway = seat.candidacy.primary() && !candidacy.primary();
      seat.relinquished =
          seat.isActive() && !candidacy.primary() && (flippedAway || seat.relinquished);
      seat.candidacy = candidacy;
      seat.removed = false;
    }
    for (Seat seat : seats.all()) {
      if (!kept.contains(seat.lockId())) {
        remove(seat, now);
      }
    }
  }

  /** Lets go of a recorder; {@link Signal.Removed} says when that is done. */
  void remove(Seat seat, long now) {
    Term term = seat.term;
    seat.removed = true;
    agenda.forgetTakeoverOf(seat.lockId());
    if (term == null) {
      seats.remove(seat.lockId());
      out.accept(new Signal.Removed(seat.lockId()));
    } else if (seat.leaveBy == null) {
      incumbent.leave(seat, term, "removed from the configuration", now);
    }
  }
}
