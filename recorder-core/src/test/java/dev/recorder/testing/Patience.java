package dev.recorder.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;
import org.awaitility.pollinterval.PollInterval;

/**
 * How long tests wait for what is to come. On a busy machine everything comes late: a test waits
 * for the event itself, and its limit is one that only a hang reaches.
 */
public final class Patience {
  public static final Duration A_MINUTE = Duration.ofMinutes(1);

  private static final Duration FIRST = Duration.ofMillis(5);
  private static final Duration LONGEST = Duration.ofMillis(80);

  /** Most things come at once; for others many wait at the same time, and asking has its price. */
  private static final PollInterval OFTEN_AT_FIRST =
      IterativePollInterval.iterative(
          last -> last.compareTo(LONGEST) < 0 ? last.multipliedBy(2) : LONGEST, FIRST);

  private Patience() {}

  /** Waits for up to a minute. */
  public static ConditionFactory await() {
    return patient(Awaitility.await());
  }

  /** The same, for what a failure is to name. */
  public static ConditionFactory await(String what) {
    return patient(Awaitility.await(what));
  }

  private static ConditionFactory patient(ConditionFactory waiting) {
    return waiting.pollDelay(Duration.ZERO).pollInterval(OFTEN_AT_FIRST).atMost(A_MINUTE);
  }
}
