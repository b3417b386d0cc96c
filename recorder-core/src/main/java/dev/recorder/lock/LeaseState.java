package dev.recorder.lock;

/** The state of a lease as known to its process. */
public enum LeaseState {
  HELD,
  /** Held as far as known, but the last confirmation failed or is overdue. */
  IN_DOUBT,
  /** It ended without a release. Final. */
  LOST,
  /** Its holder released it. Final. */
  RELEASED;

  public boolean isFinal() {
    return this == LOST || this == RELEASED;
  }
}
