package dev.recorder.lock.redis;

import dev.recorder.lock.TrackedLease;

/** A lease that was granted, and when it is to be renewed; that only the keeper changes. */
final class Holding {
  private final KeyClaim claim;
  private final TrackedLease lease;
  private volatile long due;

  Holding(KeyClaim claim, TrackedLease lease, long due) {
    this.claim = claim;
    this.lease = lease;
    this.due = due;
  }

  KeyClaim claim() {
    return claim;
  }

  TrackedLease lease() {
    return lease;
  }

  long due() {
    return due;
  }

  void renewAt(long moment) {
    due = moment;
  }
}
