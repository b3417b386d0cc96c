package dev.recorder.requests;

import dev.recorder.handoff.DatabaseIdentity;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Processes units. Unlike a {@link RequestHandler}, it may give each request its own outcome. */
@FunctionalInterface
public interface UnitWorker {
  /**
   * Processes {@code unit}, on the calling thread.
   *
   * @param statuses of requests of the entity, at this moment
   * @param room for data beyond the unit
   */
  UnitVerdict work(WorkUnit unit, Statuses statuses, MemoryReservation room)
      throws InterruptedException;

  /**
   * The verdict if {@link #work} threw this exception without an interrupt from outside, neither by
   * the time limit nor by the host's stop. It is a failure like any other.
   */
  default UnitVerdict interruptedByItself(WorkUnit unit, InterruptedException fault) {
    return new UnitVerdict.Postponed(
        "it was interrupted, and neither by its time limit nor by a stop");
  }

  /** Queries the database, in the unit's transaction. */
  @FunctionalInterface
  interface Statuses {
    /**
     * The requests by id, without those of other entities, and without those that are no longer in
     * the table: settled and cleared, or lost.
     */
    Map<Long, RequestMark> of(String entity, Collection<Long> ids);

    /** The unit's database, then those from which the recorder wrote before; empty if unknown. */
    default List<DatabaseIdentity> databases() {
      return List.of();
    }

    /**
     * Runs a query on the unit's entity. The query sees all of the unit's requests, and everything
     * else that their transactions have done. It cannot change anything. If another transaction is
     * changing data that the entity may depend on, without being able to know that, the unit is
     * followed by another request of the entity, inserted when this unit is settled.
     *
     * @param room for the document, if it is large
     */
    default EntityState state(WorkUnit unit, EntityQuery query, MemoryReservation room)
        throws InterruptedException {
      throw new UnsupportedOperationException("there is no database to be asked");
    }
  }
}
