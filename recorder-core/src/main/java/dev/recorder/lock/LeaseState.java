package dev.recorder.lock;

/** The state of a lease as known to its process. */
public enum LeaseState {
  HELD,
  /** Held as far as known, but the last confirmation failed or is overdue. */
  IN_DOUBT,
  /** The lease ended without a release. Final. */
  LOST,
  /** The holder released the lease. Final. */
  RELEASED;

  public boolean isFinal() {
    return this == LOST || this == RELEASED;
  }
}
