package dev.recorder.time;

/**
 * What threads that live long are given: the clock they go by, and whom to tell when one of them
 * fails.
 */
public record Supervision(Ticker ticker, Fatal fatal) {
  /** By the system's clock. */
  public static Supervision by(Fatal fatal) {
    return new Supervision(Ticker.system(), fatal);
  }
}
