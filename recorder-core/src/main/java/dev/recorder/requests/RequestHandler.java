package dev.recorder.requests;

/**
 * What turns requests into effects; the extension point of a request recorder.
 *
 * <p>One handler serves all workers of a recorder at the same time and must be thread-safe; of one
 * entity it sees one unit at a time (see {@link WorkUnit} for what happens when a session is lost).
 * It may see a unit again, alone or joined by later requests, if the outcome could not be
 * committed: its effect must bear that.
 */
@FunctionalInterface
public interface RequestHandler {
  /**
   * Processes {@code unit}. An exception counts as {@link Outcome.Retry}.
   *
   * @throws InterruptedException when the time limit is over or the machine stops; nothing is
   *     settled then. At any other time it is an exception like others
   */
  Outcome handle(WorkUnit unit) throws InterruptedException;
}
