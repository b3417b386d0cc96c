package dev.recorder.operate.site;

import java.time.Duration;

/**
 * The limits beyond which something gets a note.
 *
 * @param waiting the greatest age of the oldest waiting row; ten times this age is critical
 * @param takeover how long no host may record during a takeover
 * @param lasting how long a transaction, or an obstacle to clearing, may last
 * @param hosts the number of hosts that should have each log, or be able to take it
 */
public record Limits(Duration waiting, Duration takeover, Duration lasting, int hosts) {
  /** How long a host may check whether it is able, as after each start, before that gets a note. */
  public static final Duration CHECKING = Duration.ofSeconds(30);

  /** The factor from the first limit to the critical one. */
  public static final int CRITICAL_TIMES = 10;

  private static final Duration LASTING = Duration.ofMinutes(10);

  public Limits(Duration waiting, Duration takeover, int hosts) {
    this(waiting, takeover, LASTING, hosts);
  }
}
