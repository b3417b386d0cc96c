package dev.recorder.time;

import org.jspecify.annotations.Nullable;

/**
 * What threads that live long are given: the clock they go by, and whom to tell when one of them
 * fails.
 *
 * @param fatal null if the process's own handler is to be told
 */
public record Supervision(Ticker ticker, @Nullable Fatal fatal) {
  /** By the system's clock. */
  public static Supervision by(Fatal fatal) {
    return new Supervision(Ticker.system(), fatal);
  }
}
