package dev.recorder.requests;

import java.util.Set;
import java.util.UUID;

/** What a claim brought. */
public sealed interface Claim {

  /** No row behind the line is due now. */
  record Nothing() implements Claim {}

  /**
   * There are rows, but somebody else works on their entities.
   *
   * @param upTo the last row that was looked at
   * @param entities none if it was only for a moment
   */
  record PassedOver(long upTo, Set<String> entities) implements Claim {
    public PassedOver {
      entities = Set.copyOf(entities);
    }
  }

  /**
   * The row's entity is this worker's, and the attempt is counted.
   *
   * @param attempts how often it was begun, this time included
   * @param lostAttempts how many attempts at it nobody has ended, as when a worker dies; also 1 if
   *     that happened to another request of the entity while this one waited
   * @param process names the attempt, and the resulting unit
   */
  record Begun(
      long id, String entity, RequestType type, int attempts, int lostAttempts, UUID process)
      implements Claim {
    /** A request that so many workers have begun and not ended is not begun again. */
    static final int MOST_LOST_ATTEMPTS = 3;

    /** Whether it counts as a poison message: then it becomes an error, and nobody works on it. */
    public boolean isPoison() {
      return lostAttempts >= MOST_LOST_ATTEMPTS;
    }

    /** Whether it may be a poison message, one that kills workers; then it is worked on alone. */
    public boolean mayBePoison() {
      return lostAttempts > 0;
    }
  }
}
