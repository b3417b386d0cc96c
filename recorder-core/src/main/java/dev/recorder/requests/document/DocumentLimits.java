package dev.recorder.requests.document;

import java.time.Duration;

/**
 * The limits of work on a document.
 *
 * @param documentBytes greatest size of a document's JSON text
 * @param time after which a unit is postponed; a call to the store that has begun by then is
 *     finished
 */
public record DocumentLimits(int documentBytes, Duration time) {
  private static final long READABLE = 16 << 20;

  public DocumentLimits {
    if (documentBytes <= 0) {
      throw new IllegalArgumentException("documents of " + documentBytes + " bytes");
    }
    if (time.isZero() || time.isNegative()) {
      throw new IllegalArgumentException("time limit must be positive, is " + time);
    }
  }

  /**
   * Greatest size of an object that is read: one slightly over the limit can still be made smaller,
   * one far over it cannot be a document.
   */
  public static long readableBytes(long documentBytes) {
    return Math.max(2 * documentBytes, READABLE);
  }
}
