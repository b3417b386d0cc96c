package dev.recorder.requests;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Port: a table of requests as one worker sees it, on a session of its own. For one thread.
 *
 * <p>Between a claim that has begun something and one of {@link #settle}, {@link #settleAndClaim},
 * {@link #settleFound}, {@link #postpone} and {@link #takeBack} the entity is this worker's.
 * Exceptions mean that the session is lost, and the entity with it; what was claimed, or asked for,
 * is then to be {@linkplain #disown disowned} on another one.
 */
public interface RequestQueue extends UnitWorker.Statuses {

  /**
   * Takes the first row behind the line whose entity can be worked on: nobody else does, its create
   * is settled, no earlier request of it waits.
   *
   * @param process names the attempt, and the unit that may come of it
   * @param passedOver entities not to look at
   * @param poisonToo whether a request may be taken that may be a poison message
   */
  Claim claim(UUID process, long line, Collection<String> passedOver, boolean poisonToo);

  /** Takes this one row, if it can be worked on. */
  Claim claim(UUID process, Prefetched prefetched);

  /**
   * Locks and reads the unit that {@code begun} stands for: its create, or the outstanding updates
   * of its entity, or it alone if it may be poison.
   *
   * @param room is asked for more before large payloads are read
   * @return empty if another holds one of the rows, the create is not settled after all, or there
   *     was no room; {@link #takeBack} is then what is left to do
   */
  Optional<WorkUnit> lock(Claim.Begun begun, Room room) throws InterruptedException;

  /** Settles what the verdict names, commits, and lets the entity go. */
  void settle(Claim.Begun begun, WorkUnit unit, Verdict.Settled verdict);

  /**
   * Settles the whole unit as complete, makes the next claim in the same transaction, commits, and
   * lets the entity go. Takes nothing that may be poison.
   */
  Claim settleAndClaim(
      Claim.Begun begun, WorkUnit unit, UUID process, long line, Collection<String> passedOver);

  /** The same; the next claim is for this one row. */
  Claim settleAndClaim(Claim.Begun begun, WorkUnit unit, UUID process, Prefetched prefetched);

  /**
   * Creates that could be claimed now: those that come first behind the line, up to the first row
   * that is none.
   *
   * @param most so many rows are looked at
   */
  List<Prefetched> lookAhead(long line, int most);

  /** Settles requests that had taken effect before, takes the attempt back, lets the entity go. */
  void settleFound(Claim.Begun begun, WorkUnit unit, Verdict.Found verdict);

  /**
   * Rolls back and notes for each request of the unit that the attempt failed; those that were
   * begun {@code maxAttempts} times become errors.
   *
   * @param pause how long the entity is left alone
   * @return how many became errors
   */
  int postpone(Claim.Begun begun, WorkUnit unit, String why, Duration pause, int maxAttempts);

  /**
   * Rolls back and leaves everything as if it had not been begun.
   *
   * @return false if that is yet to be done, by {@link #disown}: another holds the row
   */
  boolean takeBack(Claim.Begun begun);

  /**
   * What was begun on a session that is lost: not the request's fault, so the attempt does not
   * count and nobody has died. Without effect if it was settled, or taken up by others.
   *
   * @return false if that is yet to be done: another holds the row
   */
  boolean disown(Attempt attempt);
}
