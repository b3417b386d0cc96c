package dev.recorder.audit.documents;

import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: the database's records of one recorder's requests. Called on one thread. The adapter throws
 * its own exceptions, which pass through the verifier.
 */
public interface RequestRecords {

  /**
   * Returns ids of entities that have requests, in the database's order.
   *
   * @param after the last id of the previous call; null for the beginning
   */
  List<String> entities(@Nullable String after, int limit);

  /** Returns all present requests of one entity. */
  List<RecordedRequest> of(String entity);

  /**
   * A request.
   *
   * @param fence of the unit that settled it; 0 if it is not settled
   * @param payload null if the column is NULL
   * @param digest as {@link dev.recorder.requests.Request#digest}
   */
  record RecordedRequest(
      long id,
      RequestType type,
      RequestStatus status,
      long fence,
      @Nullable String payload,
      long digest) {}
}
