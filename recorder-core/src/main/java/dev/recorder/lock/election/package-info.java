/**
 * The life of a worker that only one process of a fleet may be: {@link
 * dev.recorder.lock.election.LifeCycle} decides and is pure; {@link
 * dev.recorder.lock.election.ElectedWorker} runs it on any {@link
 * dev.recorder.lock.DistributedLock}.
 *
 * <p>Here may not live: what knows a kind of lock, or what the work is. Each worker has a thread,
 * {@code elected-worker-LOCK-1}, on which the lock is asked for and given back and all that is
 * under {@code LifeCycle} is touched; to start, to stop and to yield is for any.
 */
@NullMarked
package dev.recorder.lock.election;

import org.jspecify.annotations.NullMarked;
