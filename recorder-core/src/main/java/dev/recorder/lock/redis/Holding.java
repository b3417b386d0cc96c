package dev.recorder.lock.redis;

import dev.recorder.lock.TrackedLease;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lease that was granted.
 *
 * @param due when it is to be renewed; that only the renewer changes
 */
record Holding(KeyClaim claim, TrackedLease lease, AtomicLong due) {
  Holding(KeyClaim claim, TrackedLease lease, long due) {
    this(claim, lease, new AtomicLong(due));
  }
}
