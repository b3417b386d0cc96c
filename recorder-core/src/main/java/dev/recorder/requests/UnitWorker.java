package dev.recorder.requests;

import dev.recorder.handoff.DatabaseIdentity;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What processes units and may tell their requests apart; {@link RequestHandler}s cannot. */
@FunctionalInterface
public interface UnitWorker {
  /**
   * Processes {@code unit}, on the calling thread.
   *
   * @param statuses of requests of the entity, at this moment
   * @param room for what it reads beyond the unit
   */
  UnitVerdict work(WorkUnit unit, Statuses statuses, Room room) throws InterruptedException;

  /**
   * The verdict on a unit whose {@link #work} has thrown this although nobody had interrupted it:
   * its time was not over, and its host does not stop. That is a failure like any other.
   */
  default UnitVerdict interruptedByItself(WorkUnit unit, InterruptedException fault) {
    return new UnitVerdict.Postponed(
        "it was interrupted, and neither by its time limit nor by a stop");
  }

  /** Asks the database, in the unit's transaction. */
  @FunctionalInterface
  interface Statuses {
    /**
     * By id. Without those of other entities, and those that are in the table no longer: they were
     * settled and cleared away, or are lost.
     */
    Map<Long, RequestMark> of(String entity, Collection<Long> ids);

    /**
     * The database that the unit is in, and behind it those that the recorder wrote from before;
     * empty if there is none to be told.
     */
    default List<DatabaseIdentity> databases() {
      return List.of();
    }

    /**
     * What a query says of the unit's entity at this moment, at which all of the unit's requests
     * are there to be seen with whatever else their transactions have done. It cannot change
     * anything. If somebody is changing what the entity may depend on, and cannot know it, the unit
     * is followed by another request of the entity, which is there when this unit is settled.
     *
     * @param room for the document, if that is large
     */
    default EntityState state(WorkUnit unit, EntityQuery query, Room room)
        throws InterruptedException {
      throw new UnsupportedOperationException("there is no database to be asked");
    }
  }
}
