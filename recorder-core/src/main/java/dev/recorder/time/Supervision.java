package dev.recorder.time;

/** The clock of long-lived threads, and the handler of their failures. */
public record Supervision(Ticker ticker, FatalErrorHandler fatal) {
  /** Returns a supervision with the system's ticker. */
  public static Supervision by(FatalErrorHandler fatal) {
    return new Supervision(Ticker.system(), fatal);
  }
}
