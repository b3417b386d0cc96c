package dev.recorder.machine;

import java.time.Duration;

/** How often to check whether a log must be verified. Pure. */
final class AuditTurns {
  private static final Duration MOST = Duration.ofMinutes(1);
  private static final Duration LEAST = Duration.ofSeconds(1);
  private static final int LOOKS = 10;

  private AuditTurns() {}

  /** Once a minute, and more often if it is verified more often. */
  static Duration lookEvery(Duration every) {
    Duration looks = every.dividedBy(LOOKS);
    return looks.compareTo(MOST) > 0 ? MOST : looks.compareTo(LEAST) < 0 ? LEAST : looks;
  }
}
