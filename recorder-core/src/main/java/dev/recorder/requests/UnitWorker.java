package dev.recorder.requests;

import java.util.Collection;
import java.util.Map;

/** What processes units and may tell their requests apart; {@link RequestHandler}s cannot. */
@FunctionalInterface
public interface UnitWorker {
  /**
   * Processes {@code unit}, on the calling thread.
   *
   * @param statuses of any requests of the entity, at this moment
   * @param room for what it reads beyond the unit
   */
  Verdict work(WorkUnit unit, Statuses statuses, Room room) throws InterruptedException;

  /** Asks the table. */
  @FunctionalInterface
  interface Statuses {
    /** Without those that are in the table no longer: they were settled, and cleared away. */
    Map<Long, RequestStatus> of(Collection<Long> ids);
  }
}
