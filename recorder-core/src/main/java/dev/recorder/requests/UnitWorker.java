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
   * @param statuses gives the present states of the entity's requests
   * @param room reserves memory for data beyond the unit
   */
  UnitVerdict work(WorkUnit unit, Statuses statuses, MemoryReservation room)
      throws InterruptedException;

  /**
   * Returns the verdict if {@link #work} threw this exception although neither the time limit nor
   * the host's stop had interrupted it. It counts as any other failure.
   */
  default UnitVerdict interruptedByItself(WorkUnit unit, InterruptedException fault) {
    return new UnitVerdict.Postponed(
        "it was interrupted, and neither by its time limit nor by a stop");
  }

  /** Queries the database, in the unit's transaction. */
  @FunctionalInterface
  interface Statuses {
    /**
     * Returns requests by id. Requests of other entities are left out, and requests that are no
     * longer in the table, because they were settled and cleared, or lost.
     */
    Map<Long, RequestMark> of(String entity, Collection<Long> ids);

    /** The unit's database, then earlier databases of the recorder; empty if unknown. */
    default List<DatabaseIdentity> databases() {
      return List.of();
    }

    /**
     * Runs a query for the unit's entity. The query sees all of the unit's requests, and all other
     * changes of their transactions. It cannot change anything. Another transaction may be changing
     * data of the entity without inserting a request for it. In that case a follow-up request of
     * the entity is inserted when this unit is settled.
     *
     * @param room reserves memory for a large document
     */
    default EntityState state(WorkUnit unit, EntityQuery query, MemoryReservation room)
        throws InterruptedException {
      throw new UnsupportedOperationException("there is no database to be asked");
    }
  }
}
