package dev.recorder.requests;

import org.jspecify.annotations.Nullable;

/**
 * A row of a hand-off table of requests.
 *
 * @param payload JSON text as inserted; null if the column is NULL
 * @param attempts number of earlier attempts, without this one
 * @param digest distinguishes it from another request with the same id, which a database that lost
 *     history may assign again
 */
public record Request(
    long id, RequestType type, @Nullable String payload, int attempts, long digest) {

  /** A request whose id is not reused, for tests of handlers. */
  public Request(long id, RequestType type, @Nullable String payload, int attempts) {
    this(id, type, payload, attempts, 0);
  }
}
