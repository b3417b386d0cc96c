package dev.recorder.time;

/** What long-lived threads are given: their clock, and the recipient of their failures. */
public record Supervision(Ticker ticker, FatalErrorHandler fatal) {
  /** With the system's ticker. */
  public static Supervision by(FatalErrorHandler fatal) {
    return new Supervision(Ticker.system(), fatal);
  }
}
