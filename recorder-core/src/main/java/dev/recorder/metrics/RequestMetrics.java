package dev.recorder.metrics;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A recorder of requests on one machine: whether it works here, and what it has done here since the
 * machine started. Thread-safe.
 */
public final class RequestMetrics {
  /** Requests that took effect. */
  public static final String COMPLETE = "complete";

  /** Requests that became errors. */
  public static final String ERROR = "error";

  /** Units whose requests were settled. */
  public static final String SETTLED = "settled";

  /** Units that are tried again later. */
  public static final String RETRIED = "retried";

  /** Units that were given back as if they had not been begun. */
  public static final String GIVEN_BACK = "given_back";

  /** Units whose outcome is not known yet, as the session with the database was lost. */
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

  /** A unit was settled, with so many requests that took effect and that did not. */
  public void settled(long complete, long error) {
    units.add(SETTLED);
    requests.add(COMPLETE, complete);
    requests.add(ERROR, error);
  }

  /** A unit was put off; so many of its requests have become errors by that. */
  public void retried(long error) {
    units.add(RETRIED);
    requests.add(ERROR, error);
  }

  /** A unit was given back. */
  public void givenBack() {
    units.add(GIVEN_BACK);
  }

  /** The session was lost while a unit was under way. */
  public void lost() {
    units.add(LOST);
  }

  public boolean isAble() {
    Readiness now = readiness.get();
    return now != null && now.isReady();
  }

  /** Requests settled here, by what became of them. */
  public CountsByLabel requests() {
    return requests;
  }

  /** Units begun here, by what became of them. */
  public CountsByLabel units() {
    return units;
  }
}
