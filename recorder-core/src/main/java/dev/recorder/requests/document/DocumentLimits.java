package dev.recorder.requests.document;

import java.time.Duration;

/**
 * What bounds the work on a document.
 *
 * @param documentBytes greatest size of a document's JSON text
 * @param time after which a unit is put off; a call to the store that has begun by then is finished
 */
public record DocumentLimits(int documentBytes, Duration time) {
  public DocumentLimits {
    if (documentBytes <= 0) {
      throw new IllegalArgumentException("documents of " + documentBytes + " bytes");
    }
    if (time.isZero() || time.isNegative()) {
      throw new IllegalArgumentException("time limit must be positive, is " + time);
    }
  }
}
