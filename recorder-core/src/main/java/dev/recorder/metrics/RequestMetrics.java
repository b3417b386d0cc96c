package dev.recorder.metrics;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request recorder on one machine: whether it can work, and its counters since the machine
 * started. Thread-safe.
 */
public final class RequestMetrics {
  public static final String COMPLETE = "complete";

  public static final String ERROR = "error";

  public static final String SETTLED = "settled";

  /** Units that will be tried again. */
  public static final String RETRIED = "retried";

  /** Units that were given back as if not begun. */
  public static final String GIVEN_BACK = "given_back";

  /** Units whose outcome is unknown because the session with the database was lost. */
  public static final String LOST = "lost";

  private final CountsByLabel requests = new CountsByLabel(List.of(COMPLETE, ERROR));
  private final CountsByLabel units =
      new CountsByLabel(List.of(SETTLED, RETRIED, GIVEN_BACK, LOST));
  private volatile Supplier<@Nullable Readiness> readiness = () -> null;

  RequestMetrics() {}

  /** Where to read whether requests can be processed here; null if the recorder is not here. */
  public void readiness(Supplier<@Nullable Readiness> ofRecorder) {
    readiness = ofRecorder;
  }

  /** A unit was settled, with so many requests that succeeded and that failed. */
  public void settled(long complete, long error) {
    units.add(SETTLED);
    requests.add(COMPLETE, complete);
    requests.add(ERROR, error);
  }

  /** A unit was postponed; so many of its requests became errors. */
  public void retried(long error) {
    units.add(RETRIED);
    requests.add(ERROR, error);
  }

  public void givenBack() {
    units.add(GIVEN_BACK);
  }

  /** The session was lost while a unit was being processed. */
  public void lost() {
    units.add(LOST);
  }

  public boolean isAble() {
    Readiness now = readiness.get();
    return now != null && now.isReady();
  }

  /** Whether requests can be processed here, and why not; null if the recorder is not here. */
  public @Nullable Readiness readiness() {
    return readiness.get();
  }

  /** Requests settled here, by outcome. */
  public CountsByLabel requests() {
    return requests;
  }

  /** Units begun here, by outcome. */
  public CountsByLabel units() {
    return units;
  }
}
