package dev.recorder.requests;

import dev.recorder.handoff.RecorderName;
import java.util.List;
import java.util.UUID;

/**
 * A unit of work, processed and settled together: one create, or the outstanding updates of one
 * entity.
 *
 * <p>As long as the database session that locks its rows lives, no other worker has the entity. If
 * that session is lost, another back end takes over, perhaps before this one notices the loss.
 * Therefore a handler with effects outside the database must make their target refuse any {@code
 * fence} below the highest that the target has seen.
 *
 * @param process names this unit; a repetition of the unit has another name
 * @param fence the transaction's number (xid8), higher than that of every earlier unit of the
 *     entity; {@code SELECT pg_xact_status(fence)} says {@code in progress} while this back end
 *     holds the unit
 * @param requests in the order of their ids, at least one
 */
public record WorkUnit(
    RecorderName recorder, String entity, UUID process, long fence, List<Request> requests) {
  public WorkUnit {
    requests = List.copyOf(requests);
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("a unit of work has at least one request");
    }
  }

  /** Whether the unit is a create; a create is a unit's only request. */
  public boolean isCreate() {
    return requests.get(0).type() == RequestType.CREATE;
  }

  public List<Long> ids() {
    return requests.stream().map(Request::id).toList();
  }
}
