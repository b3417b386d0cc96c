package dev.recorder.audit.documents;

import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: what the database says of one recorder's requests. Called on one thread. What cannot be
 * read is an exception of the adapter's, which passes through the verifier.
 */
public interface RequestRecords {

  /**
   * Ids of entities that have requests, in an order of the database's.
   *
   * @param after where to go on; null for the beginning
   */
  List<String> entities(@Nullable String after, int limit);

  /** All requests of one entity, at this moment. */
  List<RecordedRequest> of(String entity);

  /**
   * A request.
   *
   * @param fence of the unit that settled it; 0 if it is not settled
   * @param payload null if the column is
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
