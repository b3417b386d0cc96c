package dev.recorder.requests;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/**
 * Port: a table of requests as one worker sees it, on a session of its own. For one thread.
 *
 * <p>Between {@link #claim} that has begun something and one of {@link #settle}, {@link
 * #settleFound}, {@link #postpone} and {@link #takeBack} the entity is this worker's. Exceptions
 * mean that the session is lost, and the entity with it; what was claimed is then to be {@linkplain
 * #disown disowned} on another one.
 */
public interface RequestQueue extends UnitWorker.Statuses {

  /**
   * Takes the first row behind the line whose entity can be worked on: nobody else does, its create
   * is settled, no earlier request of it waits.
   *
   * @param passedOver entities not to look at
   * @param maySuspect whether a request may be taken that is under suspicion of killing workers
   */
  Claim claim(long line, Collection<String> passedOver, boolean maySuspect);

  /**
   * Locks and reads the unit that {@code begun} stands for: its create, or the outstanding updates
   * of its entity, or it alone if it is a suspect.
   *
   * @param process names the unit
   * @return empty if another holds one of the rows, or the create is not settled after all; {@link
   *     #takeBack} is then what is left to do
   */
  Optional<WorkUnit> lock(Claim.Begun begun, UUID process);

  /** Settles what the verdict names, commits, and lets the entity go. */
  void settle(Claim.Begun begun, WorkUnit unit, Verdict.Settled verdict);

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

  /** Rolls back and leaves everything as if it had not been begun. */
  void takeBack(Claim.Begun begun);

  /**
   * After the session was lost on which it was begun: not the request's fault, so the attempt does
   * not count and nobody has died. Without effect if the attempt was settled, or taken up by
   * others.
   */
  void disown(Claim.Begun begun);
}
