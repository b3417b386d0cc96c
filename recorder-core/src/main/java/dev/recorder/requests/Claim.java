package dev.recorder.requests;

import java.util.Set;
import java.util.UUID;

/** The result of a claim. */
public sealed interface Claim {

  /** No row above the line can be claimed now. */
  record Nothing() implements Claim {}

  /**
   * There are rows, but other workers hold their entities.
   *
   * @param upTo the last row that was looked at
   * @param entities the entities to skip; empty if the row was held only for a moment
   */
  record PassedOver(long upTo, Set<String> entities) implements Claim {
    public PassedOver {
      entities = Set.copyOf(entities);
    }
  }

  /**
   * The worker holds the row's entity, and the attempt is counted.
   *
   * @param attempts number of attempts, including this one
   * @param lostAttempts attempts that never ended, for example because a worker died; also 1 if
   *     another request of the entity lost an attempt while this one waited
   * @param process names the attempt, and the unit that it becomes
   */
  record Begun(
      long id, String entity, RequestType type, int attempts, int lostAttempts, UUID process)
      implements Claim {
    /** The number of lost attempts after which a request is not begun again. */
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
