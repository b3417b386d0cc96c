package dev.recorder.requests;

import dev.recorder.handoff.RecorderName;
import java.util.List;
import java.util.UUID;

/**
 * What is processed and settled together: one create, or the outstanding updates of one entity.
 *
 * <p>No other worker has the entity while the database session lives on which its rows are locked.
 * If that session is lost, another back end takes over, perhaps before this one notices. So a
 * handler with effects outside of the database must make their target refuse {@code fence}s lower
 * than the highest it has seen.
 *
 * @param process names this unit; a repeated unit has another
 * @param fence the transaction's number (xid8), higher than that of every earlier unit of the
 *     entity; {@code SELECT pg_xact_status(fence)} says {@code in progress} as long as the unit is
 *     this back end's
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

  /** Whether it is a create, which is then its only request. */
  public boolean isCreate() {
    return requests.get(0).type() == RequestType.CREATE;
  }

  public List<Long> ids() {
    return requests.stream().map(Request::id).toList();
  }
}
