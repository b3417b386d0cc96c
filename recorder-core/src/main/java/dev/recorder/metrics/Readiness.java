package dev.recorder.metrics;

/**
 * Whether this machine could take a recorder, or process its requests, why not, and since when.
 * Whoever has the recorder here owns the one that counts; all else that tells of it reads that.
 *
 * @param why one sentence without a time in it; empty if it is ready
 * @param since on the machine's ticker: when it became ready, unready or refused; whether a check
 *     is under way makes no difference
 */
public record Readiness(ReadinessState state, String why, long since) {
  /** How it is said of one that has yet to be checked. */
  public static final String CHECKING = "testing database and store";

  /** What is known. */
  public enum ReadinessState {
    READY,
    /** Nothing yet, or nothing any more: a check is under way. */
    CHECKING,
    /** A check has failed, and is repeated. */
    UNABLE,
    /** It must not run here until an operator has put something in order. */
    REFUSED;

    /** By what a check has found; empty if all is well. */
    public static ReadinessState found(String trouble) {
      return trouble.isEmpty() ? READY : UNABLE;
    }
  }

  /** Of a recorder that was never checked. */
  public static Readiness unchecked(long now) {
    return new Readiness(ReadinessState.CHECKING, CHECKING, now);
  }

  /** What comes next; what was refused is checked from the beginning before it is anything else. */
  public Readiness next(ReadinessState next, String reason, long now) {
    boolean isLate = isRefused() && (next == ReadinessState.READY || next == ReadinessState.UNABLE);
    Readiness changed = new Readiness(next, reason, now);
    boolean lasts = isReady() == changed.isReady() && isRefused() == changed.isRefused();
    return isLate ? this : lasts ? new Readiness(next, reason, since) : changed;
  }

  public boolean isReady() {
    return state == ReadinessState.READY;
  }

  public boolean isRefused() {
    return state == ReadinessState.REFUSED;
  }
}
