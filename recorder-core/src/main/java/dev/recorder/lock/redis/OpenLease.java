package dev.recorder.lock.redis;

import dev.recorder.lock.TrackedLease;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open lease.
 *
 * @param due when the lease must be renewed; only the {@link LeaseRenewer} changes it
 */
record OpenLease(KeyClaim claim, TrackedLease lease, AtomicLong due) {
  OpenLease(KeyClaim claim, TrackedLease lease, long due) {
    this(claim, lease, new AtomicLong(due));
  }
}
