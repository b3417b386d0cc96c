package dev.recorder.requests;

import org.jspecify.annotations.Nullable;

/**
 * One row of a hand-off table of requests.
 *
 * @param payload JSON text as it was inserted; null if the column is
 * @param attempts how often it was begun before, this time not counted
 * @param digest what tells it from another request with its id: a database that has lost history
 *     gives ids again
 */
public record Request(
    long id, RequestType type, @Nullable String payload, int attempts, long digest) {

  /** One whose id is not given again, for tests of handlers. */
  public Request(long id, RequestType type, @Nullable String payload, int attempts) {
    this(id, type, payload, attempts, 0);
  }
}
