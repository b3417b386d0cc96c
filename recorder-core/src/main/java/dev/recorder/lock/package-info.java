/**
 * Locks between processes: one interface for all kinds, and a lease that says when it is lost.
 *
 * <p>The kinds live below: {@code lock.postgres} (advisory locks on a session, and the three that
 * are rows of tables) and {@code lock.redis} (an expiring key); neither knows the other. What is
 * known of a lease at a moment is decided by {@link dev.recorder.lock.LeaseLife}, which is pure;
 * {@link dev.recorder.lock.TrackedLease} is the one {@link dev.recorder.lock.Lease} of all kinds.
 *
 * <p>Here may not live: SQL, Redis, anything that knows a kind; a thread. A call runs on its
 * caller's thread, which also does the waiting; what hangs on a loss runs on the thread that saw
 * it. No wall clock decides anything.
 */
@NullMarked
package dev.recorder.lock;

import org.jspecify.annotations.NullMarked;
