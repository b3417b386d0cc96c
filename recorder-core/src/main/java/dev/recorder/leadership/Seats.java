package dev.recorder.leadership;

import dev.recorder.handoff.Term;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A coordinator's notes about its recorders, by lock id. Not thread-safe. */
final class Seats {
  private final Map<Integer, Seat> seats = new TreeMap<>();

  /** The seat of a recorder, which is made if it is new. */
  Seat of(Candidacy candidacy) {
    return seats.computeIfAbsent(candidacy.lockId(), id -> new Seat(candidacy));
  }

  /** Null if there is none, any more. */
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

  /** Lets go of the first recorder whose term is to be released; null if there is none. */
  @Nullable ControlAction release() {
    for (Seat seat : seats.values()) {
      Term term = seat.term;
      if (term != null && seat.releaseWhy != null) {
        return new ControlAction.Release(
            seat.lockId(), term.epoch(), seat.releaseWhy, seat.leavingTo);
      }
    }
    return null;
  }

  boolean holdsAny() {
    return seats.values().stream().anyMatch(Seat::isActive);
  }

  Set<Integer> active() {
    return ids(Seat::isActive);
  }

  Set<Integer> able() {
    return ids(seat -> seat.unable == null);
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
