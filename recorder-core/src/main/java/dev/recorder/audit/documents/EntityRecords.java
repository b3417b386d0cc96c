package dev.recorder.audit.documents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port: requests, and what the query says whose documents they ask for. */
public interface EntityRecords extends RequestRecords {

  /** All requests of an entity and its document, as of one moment. */
  EntitySnapshot state(String entity);

  /**
   * An entity at a moment.
   *
   * @param document what the query makes of it; null if there is no such entity
   * @param fault why the query fails for it; empty if it does not fail
   */
  record EntitySnapshot(List<RecordedRequest> rows, @Nullable String document, String fault) {
    public EntitySnapshot {
      rows = List.copyOf(rows);
    }
  }
}
