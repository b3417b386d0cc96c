package dev.recorder.requests;

/**
 * Turns requests into effects; the extension point of a request recorder.
 *
 * <p>One handler serves all workers of a recorder at the same time, and must be thread-safe. It
 * gets one unit of an entity at a time (see {@link WorkUnit} for lost sessions). It may get a unit
 * again, alone or with later requests, if the outcome could not be committed, and must tolerate
 * that.
 */
@FunctionalInterface
public interface RequestHandler {
  /**
   * Processes {@code unit}. An exception counts as {@link Outcome.Retry}.
   *
   * @throws InterruptedException when the time limit is over or the host stops; nothing is settled
   *     then. An {@code InterruptedException} at other times counts as any exception.
   */
  Outcome handle(WorkUnit unit) throws InterruptedException;
}
