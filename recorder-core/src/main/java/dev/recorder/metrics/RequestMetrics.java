package dev.recorder.metrics;

import java.util.List;

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
  private volatile boolean able;

  RequestMetrics() {}

  /** What its work needs is available. */
  public void able() {
    able = true;
  }

  /** What its work needs is missing or not checked yet, or the recorder must not run here. */
  public void unable() {
    able = false;
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
    return able;
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
