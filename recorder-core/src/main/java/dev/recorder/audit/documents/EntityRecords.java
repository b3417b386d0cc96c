package dev.recorder.audit.documents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port: requests, and the result of the query that builds the documents. */
public interface EntityRecords extends RequestRecords {

  /** Returns all requests of an entity and its document, as of one moment. */
  EntitySnapshot state(String entity);

  /**
   * The state of an entity at a moment.
   *
   * @param document the query's result; null if the entity is gone
   * @param fault why the query fails for the entity; empty if it does not
   */
  record EntitySnapshot(List<RecordedRequest> rows, @Nullable String document, String fault) {
    public EntitySnapshot {
      rows = List.copyOf(rows);
    }
  }
}
