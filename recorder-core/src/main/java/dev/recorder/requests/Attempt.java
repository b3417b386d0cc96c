package dev.recorder.requests;

import java.util.UUID;

/**
 * What one claim has begun, or may have begun if its answer was lost.
 *
 * @param line the row it may be is behind this
 * @param known whether it is the very next one
 */
public record Attempt(UUID process, long line, boolean known) {

  /** What is known to have begun. */
  public static Attempt at(Claim.Begun begun) {
    return new Attempt(begun.process(), begun.id() - 1, true);
  }

  /** What a claim of this row has asked for. */
  public static Attempt at(Prefetched prefetched, UUID process) {
    return new Attempt(process, prefetched.id() - 1, true);
  }

  /** What a claim has asked for. */
  public static Attempt behind(long line, UUID process) {
    return new Attempt(process, line, false);
  }
}
