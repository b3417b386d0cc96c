package dev.recorder.lock;

/**
 * How a lease was lost.
 *
 * @param detail the observation, for people
 */
public record Loss(Cause cause, String detail) {
  /** The cause of the loss. */
  public enum Cause {
    /**
     * The holding session ended: it was terminated, the server restarted, or the connection closed.
     */
    SESSION_TERMINATED,
    /** No answer came within the time-out: the server is frozen or the network is cut. */
    PROBE_TIMED_OUT,
    /** The lease ran out before it could be renewed. */
    LEASE_EXPIRED,
    /** Another holder has the lock. */
    TAKEN_OVER,
    /** An operator revoked the lock, or the server lost its memory. */
    REVOKED
  }

  @Override
  public String toString() {
    return cause.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + ": " + detail;
  }
}
