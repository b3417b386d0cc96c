package dev.recorder.metrics;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The readiness of a host for a request recorder, and the recorder's counters on this host since
 * its start. Thread-safe.
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

  /**
   * Sets the source that says whether requests can be processed here; it gives null if the recorder
   * is not here.
   */
  public void readiness(Supplier<@Nullable Readiness> ofRecorder) {
    readiness = ofRecorder;
  }

  /** Counts a settled unit, with its numbers of succeeded and failed requests. */
  public void settled(long complete, long error) {
    units.add(SETTLED);
    requests.add(COMPLETE, complete);
    requests.add(ERROR, error);
  }

  /** Counts a postponed unit, with the number of its requests that became errors. */
  public void retried(long error) {
    units.add(RETRIED);
    requests.add(ERROR, error);
  }

  public void givenBack() {
    units.add(GIVEN_BACK);
  }

  /** Counts a unit during whose processing the session was lost. */
  public void lost() {
    units.add(LOST);
  }

  public boolean isAble() {
    Readiness now = readiness.get();
    return now != null && now.isReady();
  }

  /**
   * Returns whether requests can be processed here, and why not; null if the recorder is not here.
   */
  public @Nullable Readiness readiness() {
    return readiness.get();
  }

  /** Returns the numbers of requests settled here, by outcome. */
  public CountsByLabel requests() {
    return requests;
  }

  /** Returns the numbers of units begun here, by outcome. */
  public CountsByLabel units() {
    return units;
  }
}
