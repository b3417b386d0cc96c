package dev.recorder.lock;

/**
 * How a lease was lost.
 *
 * @param detail what was seen, for people
 */
public record Loss(Cause cause, String detail) {
  /** What ended it. */
  public enum Cause {
    /** The session that held it ended: terminated, the server restarted, the connection closed. */
    SESSION_TERMINATED,
    /** No answer came within the time-out: the server is frozen or the network cut. */
    PROBE_TIMED_OUT,
    /** Its time ran out before it could be renewed. */
    LEASE_EXPIRED,
    /** Another holder has the lock. */
    TAKEN_OVER,
    /** It was taken away by an operator, or by a server that lost its memory. */
    REVOKED
  }

  @Override
  public String toString() {
    return cause.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + ": " + detail;
  }
}
