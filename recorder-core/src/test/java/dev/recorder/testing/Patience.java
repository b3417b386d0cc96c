package dev.recorder.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How long tests wait for what is to come. On a busy machine everything comes late: a test waits
 * for the event itself, and its limit is one that only a hang reaches.
 */
public final class Patience {
  public static final Duration A_MINUTE = Duration.ofMinutes(1);

  /** A minute of a quiet machine, on one that does ten times as much. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private Patience() {}

  /** Waits for up to five minutes. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT);
  }

  /** The same, for what a failure is to name. */
  public static ConditionFactory await(String what) {
    return Awaitility.await(what).atMost(LIMIT);
  }
}
