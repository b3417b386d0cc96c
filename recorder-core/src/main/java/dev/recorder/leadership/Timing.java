package dev.recorder.leadership;

import java.time.Duration;

/**
 * The durations of leadership, all on local monotonic time.
 *
 * @param heartbeat how often a machine renews its row
 * @param lease how long after <em>sending</em> a heartbeat that was then confirmed a machine may
 *     start writes
 * @param takeoverAfter silence after which a standby evicts the active machine
 * @param watch how often a machine looks at the others, while it could take over something
 * @param failbackAfter how long a primary must have been healthy before it gets its recorder back
 * @param stuckAfter how long an active machine makes no progress before it looks for a peer
 */
public record Timing(
    Duration heartbeat,
    Duration lease,
    Duration takeoverAfter,
    Duration watch,
    Duration failbackAfter,
    Duration stuckAfter) {
  public static final Timing DEFAULT =
      new Timing(
          Duration.ofMillis(500),
          Duration.ofMillis(1500),
          Duration.ofSeconds(2),
          Duration.ofMillis(50),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10));

  public Timing {
    if (heartbeat.compareTo(lease) >= 0 || lease.compareTo(takeoverAfter) >= 0) {
      throw new IllegalArgumentException(
          "timing law: heartbeat < lease < takeover_after, got "
              + heartbeat
              + ", "
              + lease
              + ", "
              + takeoverAfter);
    }
  }

  /** How often a machine looks that is active for all that it has; it is to see wishes. */
  Duration calmWatch() {
    return watch.compareTo(heartbeat) < 0 ? heartbeat : watch;
  }
}
