package dev.recorder.requests;

import java.util.UUID;

/**
 * What a claim has begun, or may have begun if its answer was lost.
 *
 * @param line the row has an id above this
 * @param known whether the row is the very next one
 */
public record Attempt(UUID process, long line, boolean known) {

  /** An attempt that is known to have begun. */
  public static Attempt at(Claim.Begun begun) {
    return new Attempt(begun.process(), begun.id() - 1, true);
  }

  /** An attempt requested for this row. */
  public static Attempt at(Prefetched prefetched, UUID process) {
    return new Attempt(process, prefetched.id() - 1, true);
  }

  /** An attempt requested for a row above the line. */
  public static Attempt behind(long line, UUID process) {
    return new Attempt(process, line, false);
  }
}
