package dev.recorder.lock;

/**
 * How a lease was lost.
 *
 * @param detail for people: what was seen
 */
public record Loss(Cause cause, String detail) {
  /** What ended it. */
  public enum Cause {
    /** The session that held it ended: terminated, the server restarted, the connection closed. */
    SESSION_TERMINATED,
    /** Nobody answered within the time-out: a frozen server or a network that is cut. */
    PROBE_TIMED_OUT,
    /** Its time ran out before it could be renewed. */
    LEASE_EXPIRED,
    /** Somebody else has the lock. */
    TAKEN_OVER,
    /** It was taken away, by an operator or with the memory of the server. */
    REVOKED
  }

  @Override
  public String toString() {
    return cause.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + ": " + detail;
  }
}
