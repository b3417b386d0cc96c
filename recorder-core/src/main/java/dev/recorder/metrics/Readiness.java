package dev.recorder.metrics;

/**
 * Whether this host could take a recorder or process its requests, why not, and since when. The
 * object that runs the recorder on this host owns its one readiness, and all reports read that one.
 *
 * @param why one sentence without a time; empty if it is ready
 * @param since when it became ready, unready or refused, as nanoseconds of the host's ticker; the
 *     beginning of a check does not change it
 */
public record Readiness(ReadinessState state, String why, long since) {
  /** The reason before the first check. */
  public static final String CHECKING = "testing database and store";

  /** The states. */
  public enum ReadinessState {
    READY,
    /** Not known: a check is under way. */
    CHECKING,
    /** A check has failed, and is repeated. */
    UNABLE,
    /** The recorder must not run here until an operator has removed the cause. */
    REFUSED;

    /** Returns the state after a check that found {@code trouble}; empty if it found none. */
    public static ReadinessState found(String trouble) {
      return trouble.isEmpty() ? READY : UNABLE;
    }
  }

  /** Returns the readiness of a recorder that was never checked. */
  public static Readiness unchecked(long now) {
    return new Readiness(ReadinessState.CHECKING, CHECKING, now);
  }

  /**
   * Returns the readiness after a change. A refused recorder becomes ready or unable only after a
   * new check has begun.
   */
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
