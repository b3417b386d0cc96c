/**
 * Locks between processes: one interface for all kinds, and a lease that says when it is lost.
 *
 * <p>The kinds live below: {@code lock.postgres} (advisory locks on a session, and the three that
 * are rows of tables) and {@code lock.redis} (an expiring key). What is known of a lease at a
 * moment is decided by {@link dev.recorder.lock.LeaseLife}, which is pure; {@link
 * dev.recorder.lock.TrackedLease} is the one {@link dev.recorder.lock.Lease} of all kinds.
 */
@NullMarked
package dev.recorder.lock;

import org.jspecify.annotations.NullMarked;
