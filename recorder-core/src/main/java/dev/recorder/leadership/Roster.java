package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Which recorders a machine has, as its configuration changes. One that it should no longer have
 * stays until its term is over. Pure; not thread-safe.
 */
final class Roster {
  private final RecorderStates states;
  private final Agenda agenda;
  private final ActivePolicy activePolicy;
  private final Consumer<Signal> out;

  Roster(RecorderStates states, Agenda agenda, ActivePolicy activePolicy, Consumer<Signal> out) {
    this.states = states;
    this.agenda = agenda;
    this.activePolicy = activePolicy;
    this.out = out;
  }

  /** From now on the machine has these recorders, with these preferences, and no other. */
  void become(Collection<Candidacy> candidacies, long now) {
    Set<Integer> kept =
        candidacies.stream().map(Candidacy::lockId).collect(Collectors.toUnmodifiableSet());
    for (Candidacy candidacy : candidacies) {
      RecorderState state = states.of(candidacy);
      boolean flippedAway = state.candidacy.primary() && !candidacy.primary();
      state.relinquished =
          state.isActive() && !candidacy.primary() && (flippedAway || state.relinquished);
      state.candidacy = candidacy;
      state.removed = false;
    }
    for (RecorderState state : states.all()) {
      if (!kept.contains(state.lockId())) {
        remove(state, now);
      }
    }
  }

  /** Lets go of a recorder; {@link Signal.Removed} says when that is done. */
  void remove(RecorderState state, long now) {
    Term term = state.term;
    state.removed = true;
    agenda.forgetTakeoverOf(state.lockId());
    if (term == null) {
      states.remove(state.lockId());
      out.accept(new Signal.Removed(state.lockId()));
    } else if (state.leaveBy == null) {
      activePolicy.leave(state, term, "removed from the configuration", now);
    }
  }
}
