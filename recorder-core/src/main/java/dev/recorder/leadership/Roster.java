package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Adapts the host's recorders to a changed configuration. A removed recorder stays until its term
 * has ended. Pure; not thread-safe.
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

  /** Makes these recorders, with these preferences, the host's only ones. */
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

  /** Removes a recorder, after its term has ended. {@link Signal.Removed} follows. */
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
