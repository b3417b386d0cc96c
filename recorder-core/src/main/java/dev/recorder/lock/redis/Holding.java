package dev.recorder.lock.redis;

import dev.recorder.lock.TrackedLease;

/** A lease that was granted, and when it is to be renewed; that only the keeper changes. */
final class Holding {
  private final Claim claim;
  private final TrackedLease lease;
  private volatile long due;

  Holding(Claim claim, TrackedLease lease, long due) {
    this.claim = claim;
    this.lease = lease;
    this.due = due;
  }

  Claim claim() {
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
