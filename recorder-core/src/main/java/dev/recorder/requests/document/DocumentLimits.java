package dev.recorder.requests.document;

import java.time.Duration;

/**
 * The limits of work on a document.
 *
 * @param documentBytes largest JSON text of a document
 * @param time after which a unit is postponed; a call to the store in progress is still finished
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
   * The largest object that is read: an update can still shrink an object slightly over the limit,
   * while an object far over the limit cannot be a document.
   */
  public static long readableBytes(long documentBytes) {
    return Math.max(2 * documentBytes, READABLE);
  }
}
