package dev.recorder.requests;

import java.util.UUID;

/**
 * An attempt that a claim has begun, or may have begun if the claim's answer was lost.
 *
 * @param line the id of the row is above this
 * @param known whether the row is the one right after {@code line}, id {@code line + 1}
 */
public record Attempt(UUID process, long line, boolean known) {

  /** Returns an attempt that is known to have begun. */
  public static Attempt at(Claim.Begun begun) {
    return new Attempt(begun.process(), begun.id() - 1, true);
  }

  /** Returns an attempt that was requested for this row. */
  public static Attempt at(Prefetched prefetched, UUID process) {
    return new Attempt(process, prefetched.id() - 1, true);
  }

  /** Returns an attempt that was requested for some row above the line. */
  public static Attempt behind(long line, UUID process) {
    return new Attempt(process, line, false);
  }
}
