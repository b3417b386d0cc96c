package dev.recorder.requests;

import java.util.Set;
import java.util.UUID;

/** What a claim brought. */
public sealed interface Claim {

  /** No row behind the line is to be worked on now. */
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
   * @param deaths how often whoever had begun it died without a word, or another request of the
   *     entity was under suspicion of that
   * @param process names the attempt, and the unit that comes of it
   */
  record Begun(long id, String entity, RequestType type, int attempts, int deaths, UUID process)
      implements Claim {

    /** Whether it may be what kills workers; then it is worked on alone. */
    public boolean isSuspect() {
      return deaths > 0;
    }
  }
}
