package dev.recorder.requests;

/** What a claim brought. */
public sealed interface Claim {

  /** No row behind the line is to be worked on now. */
  record Nothing() implements Claim {}

  /**
   * The first row behind the line is of an entity that cannot be worked on now: somebody else does,
   * its create is not settled, or an earlier request of it waits. It is as it was before.
   */
  record PassedOver(long id, String entity) implements Claim {}

  /**
   * The row's entity is this worker's, and the attempt is counted.
   *
   * @param attempts how often it was begun, this time included
   * @param deaths how often whoever had begun it died without a word, or another request of the
   *     entity was under suspicion of that
   * @param token tells this attempt from all others
   */
  record Begun(long id, String entity, RequestType type, int attempts, int deaths, String token)
      implements Claim {

    /** Whether it may be what kills workers; then it is worked on alone. */
    public boolean isSuspect() {
      return deaths > 0;
    }
  }
}
