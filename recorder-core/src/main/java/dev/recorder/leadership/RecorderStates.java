package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A coordinator's states of its recorders, by lock id. Not thread-safe. */
final class RecorderStates {
  private final Map<Integer, RecorderState> states = new TreeMap<>();
  private IntPredicate drained = lockId -> false;
  private boolean stopping;
  private long releases;

  /** Returns the state of a recorder, and makes it if the recorder is new. */
  RecorderState of(Candidacy candidacy) {
    return states.computeIfAbsent(candidacy.lockId(), id -> state(candidacy));
  }

  private RecorderState state(Candidacy candidacy) {
    RecorderState state = new RecorderState(candidacy);
    state.draining = drained.test(candidacy.lockId());
    return state;
  }

  /** Drains this host of these recorders, including recorders that are added later. */
  void drain(IntPredicate which) {
    drained = which;
    states.values().forEach(state -> state.draining = which.test(state.lockId()));
  }

  /** Returns the state of a recorder; null if the recorder was removed. */
  @Nullable RecorderState find(int lockId) {
    return states.get(lockId);
  }

  /** Returns the state of a recorder that must exist. */
  RecorderState of(int lockId) {
    RecorderState state = states.get(lockId);
    if (state == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return state;
  }

  /** Returns the state if its present term has this epoch; null if that term has ended. */
  @Nullable RecorderState ofTerm(int lockId, long epoch) {
    RecorderState state = states.get(lockId);
    Term term = state == null ? null : state.term;
    return term != null && term.epoch() == epoch ? state : null;
  }

  void noteProgress(int lockId, long epoch, long at) {
    RecorderState state = ofTerm(lockId, epoch);
    if (state != null && at - state.progressAt > 0) {
      state.progressAt = at;
    }
  }

  /** Makes this host unable to take any recorder from now on. */
  void stop() {
    stopping = true;
  }

  void remove(int lockId) {
    states.remove(lockId);
  }

  boolean isEmpty() {
    return states.isEmpty();
  }

  /** Returns a copy of all states, in the order of lock ids. */
  List<RecorderState> all() {
    return List.copyOf(states.values());
  }

  /**
   * Returns the release of a term that must be released; null if there is none. The term whose last
   * attempt is longest ago comes first, so that one locked row does not hold up the others.
   */
  @Nullable ControlAction release() {
    return states.values().stream()
        .filter(state -> state.term != null && state.releaseWhy != null)
        .min(Comparator.comparingLong(state -> state.triedToRelease))
        .map(this::release)
        .orElse(null);
  }

  private @Nullable ControlAction release(RecorderState state) {
    Term term = state.term;
    String why = state.releaseWhy;
    if (term == null || why == null) {
      return null;
    }
    state.triedToRelease = ++releases;
    return new ControlAction.Release(state.lockId(), term.epoch(), why, state.leavingTo);
  }

  /**
   * Returns the host that holds most of the recorders that have no term here; empty if none does.
   */
  String mostFrequentHolder(ClusterView view) {
    Map<String, Integer> counts = new TreeMap<>();
    for (RecorderState state : states.values()) {
      RecorderView row = view.recorders().get(state.lockId());
      String holder = row == null || !row.termSessionAlive() ? null : row.holder();
      if (holder != null && !state.isActive()) {
        counts.merge(holder, 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }

  boolean holdsAny() {
    return states.values().stream().anyMatch(RecorderState::isActive);
  }

  boolean holdsAll() {
    return states.values().stream().allMatch(RecorderState::isActive);
  }

  Set<Integer> active() {
    return ids(RecorderState::isActive);
  }

  Set<Integer> able() {
    return ids(state -> !stopping && state.unable == null && (!state.draining || state.isActive()));
  }

  Set<Integer> stuck() {
    return ids(state -> state.isActive() && state.stuckSince != null);
  }

  private Set<Integer> ids(Predicate<RecorderState> which) {
    return states.values().stream()
        .filter(which)
        .map(RecorderState::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }
}
