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

/** A coordinator's notes about its recorders, by lock id. Not thread-safe. */
final class Seats {
  private final Map<Integer, Seat> seats = new TreeMap<>();
  private IntPredicate drained = lockId -> false;
  private boolean stopping;
  private long releases;

  /** The seat of a recorder, which is made if it is new. */
  Seat of(Candidacy candidacy) {
    return seats.computeIfAbsent(candidacy.lockId(), id -> seat(candidacy));
  }

  private Seat seat(Candidacy candidacy) {
    Seat seat = new Seat(candidacy);
    seat.draining = drained.test(candidacy.lockId());
    return seat;
  }

  /** This machine must give up these, including those that come later. */
  void drain(IntPredicate which) {
    drained = which;
    seats.values().forEach(seat -> seat.draining = which.test(seat.lockId()));
  }

  /** Null if it was removed. */
  @Nullable Seat find(int lockId) {
    return seats.get(lockId);
  }

  /** The seat of a recorder that is known to be here. */
  Seat of(int lockId) {
    Seat seat = seats.get(lockId);
    if (seat == null) {
      throw new IllegalArgumentException("no recorder with lockid " + lockId);
    }
    return seat;
  }

  /** The seat with this very term; null if it has ended. */
  @Nullable Seat ofTerm(int lockId, long epoch) {
    Seat seat = seats.get(lockId);
    Term term = seat == null ? null : seat.term;
    return term != null && term.epoch() == epoch ? seat : null;
  }

  void noteProgress(int lockId, long epoch, long at) {
    Seat seat = ofTerm(lockId, epoch);
    if (seat != null && at - seat.progressAt > 0) {
      seat.progressAt = at;
    }
  }

  /** From now on this machine could take nothing. */
  void stop() {
    stopping = true;
  }

  void remove(int lockId) {
    seats.remove(lockId);
  }

  boolean isEmpty() {
    return seats.isEmpty();
  }

  /** In the order of lock ids; may be changed meanwhile. */
  List<Seat> all() {
    return List.copyOf(seats.values());
  }

  /**
   * Gives up a recorder whose term must be released; null if there is none. The one whose turn is
   * longest ago comes first: somebody who has the row of one locked must not keep the others.
   */
  @Nullable ControlAction release() {
    return seats.values().stream()
        .filter(seat -> seat.term != null && seat.releaseWhy != null)
        .min(Comparator.comparingLong(seat -> seat.triedToRelease))
        .map(this::release)
        .orElse(null);
  }

  private @Nullable ControlAction release(Seat seat) {
    Term term = seat.term;
    String why = seat.releaseWhy;
    if (term == null || why == null) {
      return null;
    }
    seat.triedToRelease = ++releases;
    return new ControlAction.Release(seat.lockId(), term.epoch(), why, seat.leavingTo);
  }

  /** Of the machines that are seen to hold those for which there is no term here; empty if none. */
  String mostFrequentHolder(ClusterView view) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Seat seat : seats.values()) {
      RecorderView row = view.recorders().get(seat.lockId());
      String holder = row == null || !row.termSessionAlive() ? null : row.holder();
      if (holder != null && !seat.isActive()) {
        counts.merge(holder, 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }

  boolean holdsAny() {
    return seats.values().stream().anyMatch(Seat::isActive);
  }

  boolean holdsAll() {
    return seats.values().stream().allMatch(Seat::isActive);
  }

  Set<Integer> active() {
    return ids(Seat::isActive);
  }

  Set<Integer> able() {
    return ids(seat -> !stopping && seat.unable == null && (!seat.draining || seat.isActive()));
  }

  Set<Integer> stuck() {
    return ids(seat -> seat.isActive() && seat.stuckSince != null);
  }

  private Set<Integer> ids(Predicate<Seat> which) {
    return seats.values().stream()
        .filter(which)
        .map(Seat::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }
}
