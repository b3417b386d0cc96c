package dev.recorder.leadership;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the {@link Coordinator} wants done on the control session, one action at a time. */
public sealed interface ControlAction {

  /**
   * Open a session, end this machine's own former one, take the machine's name, register.
   *
   * @param able lock ids this machine could take
   */
  record Connect(Set<Integer> able) implements ControlAction {}

  /**
   * Renew the machine's row.
   *
   * @param stuck lock ids of {@code active} that make no progress here
   */
  record Beat(Set<Integer> active, Set<Integer> able, Set<Integer> stuck)
      implements ControlAction {}

  /**
   * Tell again which recorders this machine has and prefers, after its configuration changed. A
   * recorder whose primary it has become is requested.
   */
  record Register(Set<Integer> active, Set<Integer> able) implements ControlAction {}

  /** Look at all machines and at the recorders of interest. */
  record Watch() implements ControlAction {}

  /**
   * End the sessions of {@code holder}, if its heartbeat still is the judged one and its session
   * still holds the lock. The takes that this is for follow it, whatever its answer: {@link
   * PlannedTakeover}.
   */
  record Evict(String holder, long judgedBeat, int lockId) implements ControlAction {}

  /**
   * Try the recorder's lock and, if the row still is as judged, begin a new term.
   *
   * @param judgedHolder who held it when the decision was made, or null
   * @param judgedEpoch the term then
   */
  record Take(
      int lockId,
      @Nullable String judgedHolder,
      long judgedEpoch,
      TakeoverReason reason,
      String why)
      implements ControlAction {}

  /**
   * Several Takes at once, all or none: when a host dies each of its recorders wants a term. The
   * locks that are free are taken together, and the terms are begun in one transaction.
   */
  record TakeSeveral(List<Take> takes) implements ControlAction {
    public TakeSeveral {
      takes = List.copyOf(takes);
    }
  }

  /** Tell the next holder that the recorder is about to be released. */
  record Announce(int lockId, long epoch, HandoverRequest request) implements ControlAction {}

  /**
   * Take an operator's order to hand the recorder over, which the request in its row stands for.
   * The operator may withdraw it until then, and not after.
   */
  record Accept(int lockId, long epoch, HandoverRequest request) implements ControlAction {}

  /**
   * Let go of a term: clear the holder if the row still is ours, then unlock.
   *
   * @param to the machine meant to take it, if one is
   */
  record Release(int lockId, long epoch, String why, @Nullable HandoverRequest to)
      implements ControlAction {}

  /** Nothing to do before {@code untilNanos}. */
  record Rest(long untilNanos) implements ControlAction {}
}
