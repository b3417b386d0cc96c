package dev.recorder.operate;

import org.jspecify.annotations.Nullable;

/**
 * What the database knows of an order to hand a recorder over, and of the recorder.
 *
 * @param acceptedIn the term of the machine that took the order; 0 if nobody has
 * @param holder who has the recorder now; null if nobody has
 * @param epoch the latest term
 */
public record SwitchoverStanding(
    SwitchoverState state, long acceptedIn, @Nullable String holder, long epoch) {
  /** What became of the order. */
  public enum SwitchoverState {
    NEW,
    ACCEPTED,
    WITHDRAWN
  }
}
