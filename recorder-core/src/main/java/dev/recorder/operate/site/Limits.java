package dev.recorder.operate.site;

import java.time.Duration;

/**
 * From when on something is worth a note.
 *
 * @param waiting how old the oldest waiting row may be; ten times as old is critical
 * @param takeover how long nobody may record while a takeover is under way
 * @param lasting how long a transaction, or what keeps rows from being cleared, may last
 * @param hosts how many should have each log, or be able to take it
 */
public record Limits(Duration waiting, Duration takeover, Duration lasting, int hosts) {
  /**
   * How long a host may find out what it is able to, as after each start, without being a worry.
   */
  public static final Duration CHECKING = Duration.ofSeconds(30);

  /** How much older than the first limit is critical. */
  public static final int CRITICAL_TIMES = 10;

  private static final Duration LASTING = Duration.ofMinutes(10);

  public Limits(Duration waiting, Duration takeover, int hosts) {
    this(waiting, takeover, LASTING, hosts);
  }
}
