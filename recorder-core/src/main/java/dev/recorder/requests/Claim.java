package dev.recorder.requests;

import java.util.Set;
import java.util.UUID;

/** The result of a claim. */
public sealed interface Claim {

  /** No row above the line is due now. */
  record Nothing() implements Claim {}

  /**
   * There are rows, but other workers have their entities.
   *
   * @param upTo the last row that was looked at
   * @param entities empty if that was only for a moment
   */
  record PassedOver(long upTo, Set<String> entities) implements Claim {
    public PassedOver {
      entities = Set.copyOf(entities);
    }
  }

  /**
   * The row's entity is this worker's, and the attempt is counted.
   *
   * @param attempts how often it was begun, including this time
   * @param lostAttempts attempts that were never ended, for example because a worker died; also 1
   *     if that happened to another request of the entity while this one waited
   * @param process names the attempt, and the unit that results
   */
  record Begun(
      long id, String entity, RequestType type, int attempts, int lostAttempts, UUID process)
      implements Claim {
    /** A request with so many lost attempts is not begun again. */
    static final int MOST_LOST_ATTEMPTS = 3;

    /**
     * Whether the request counts as a poison message and becomes an error without another attempt.
     */
    public boolean isPoison() {
      return lostAttempts >= MOST_LOST_ATTEMPTS;
    }

    /**
     * Whether the request may be a poison message, one that kills workers; then it is processed
     * alone.
     */
    public boolean mayBePoison() {
      return lostAttempts > 0;
    }
  }
}
