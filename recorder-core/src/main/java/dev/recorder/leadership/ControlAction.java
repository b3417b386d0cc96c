package dev.recorder.leadership;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An action that the {@link Coordinator} requests on the control session. Actions run one at a
 * time.
 */
public sealed interface ControlAction {

  /**
   * Open a session, end this host's former one, lock the host's name, register.
   *
   * @param able lock ids of the recorders that this host can take
   */
  record Connect(Set<Integer> able) implements ControlAction {}

  /**
   * Renew the host's row.
   *
   * @param stuck lock ids of {@code active} whose recorders make no progress here
   */
  record Beat(Set<Integer> active, Set<Integer> able, Set<Integer> stuck)
      implements ControlAction {}

  /**
   * Register again after a change of the configuration: which recorders this host has and prefers.
   * If this host has become a recorder's primary, it requests the recorder.
   */
  record Register(Set<Integer> active, Set<Integer> able) implements ControlAction {}

  /** Read all hosts and the recorders of interest. */
  record Watch() implements ControlAction {}

  /**
   * End the sessions of {@code holder}, if its heartbeat is still the judged one and its session
   * still holds the lock. The takes that need the eviction follow, whatever the answer ({@link
   * PlannedTakeover}).
   */
  record Evict(String holder, long judgedBeat, int lockId) implements ControlAction {}

  /**
   * Try the recorder's lock and, if the row is still as judged, begin a new term.
   *
   * @param judgedHolder the holder when the decision was made, or null
   * @param judgedEpoch the epoch when the decision was made
   */
  record Take(
      int lockId,
      @Nullable String judgedHolder,
      long judgedEpoch,
      TakeoverReason reason,
      String why)
      implements ControlAction {}

  /**
   * Several Takes in one action, as after the death of a host with several recorders. The free
   * locks are taken together, and their terms begin in one transaction. A Take whose lock is held
   * or whose row has changed begins no term. If a row is not available in time, no term begins at
   * all.
   */
  record TakeSeveral(List<Take> takes) implements ControlAction {
    public TakeSeveral {
      takes = List.copyOf(takes);
    }
  }

  /** Announce to the next holder that the recorder is about to be released. */
  record Announce(int lockId, long epoch, HandoverRequest request) implements ControlAction {}

  /**
   * Accept the operator's order for which the request in the recorder's row stands. The operator
   * may withdraw the order before, but not after.
   */
  record Accept(int lockId, long epoch, HandoverRequest request) implements ControlAction {}

  /**
   * Release a term: clear the holder if the row still names this term, then unlock.
   *
   * @param to the host that is meant to take the recorder; null if none is
   */
  record Release(int lockId, long epoch, String why, @Nullable HandoverRequest to)
      implements ControlAction {}

  /** Do nothing before {@code untilNanos}. */
  record Rest(long untilNanos) implements ControlAction {}
}
