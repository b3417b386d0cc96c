package dev.recorder.app.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Lets at most {@value #A_SECOND} through in a second, however many push: some twenty who look at
 * the page. Knows no clock; times are a ticker's. Thread-safe.
 */
final class RateLimiter {
  static final int A_SECOND = 50;
  private static final double NANOS = 1e9;

  @GuardedBy("this")
  private double left = A_SECOND;

  @GuardedBy("this")
  private long at;

  @GuardedBy("this")
  private boolean turned;

  /** Whether one more may pass. */
  synchronized boolean pass(long now) {
    if (turned) {
      left = Math.min(A_SECOND, left + Math.max(0, now - at) / NANOS * A_SECOND);
    }
    turned = true;
    at = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
