package dev.recorder.lock;

/** What a process knows of its lease. */
public enum LeaseState {
  /** It is ours. */
  HELD,
  /** It is ours as far as we know, but the last attempt to confirm it failed or is overdue. */
  IN_DOUBT,
  /** It ended without us. Final. */
  LOST,
  /** We let go of it. Final. */
  RELEASED;

  public boolean isFinal() {
    return this == LOST || this == RELEASED;
  }
}
