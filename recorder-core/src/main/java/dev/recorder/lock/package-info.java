/**
 * Locks between processes: one interface for all kinds, and a lease that reports its loss.
 *
 * <p>The kinds live below: {@code lock.postgres} (advisory locks on a session, and three kinds that
 * are rows of tables) and {@code lock.redis} (an expiring key); neither knows the other. {@code
 * lock.election} has a worker wait for a lock, work, and wait again. {@link
 * dev.recorder.lock.LeaseLife}, which is pure, decides the state of a lease; {@link
 * dev.recorder.lock.TrackedLease} is the one {@link dev.recorder.lock.Lease} of all kinds.
 *
 * <p>No SQL, no Redis and no thread live here. A call runs and waits on its caller's thread;
 * actions on a loss run on the thread that saw it. No wall clock decides anything.
 */
@NullMarked
package dev.recorder.lock;

import org.jspecify.annotations.NullMarked;
