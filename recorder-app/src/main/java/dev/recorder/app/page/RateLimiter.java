package dev.recorder.app.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Allows at most {@value #A_SECOND} requests a second, enough for about twenty viewers of the page.
 * Has no clock: times are a ticker's. Thread-safe.
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

  /** Whether one more request is allowed. */
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
