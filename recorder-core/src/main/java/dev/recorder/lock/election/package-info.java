/**
 * A worker of which one process of a fleet runs: {@link dev.recorder.lock.election.WorkerLifeCycle}
 * decides and is pure; {@link dev.recorder.lock.election.ElectedWorker} runs it on any {@link
 * dev.recorder.lock.DistributedLock}.
 *
 * <p>Nothing here knows a kind of lock or what the work is. Each worker has a thread, {@code
 * elected-worker-LOCK-1}, which asks for and releases the lock and runs {@code WorkerLifeCycle}.
 * Any thread may start, stop or yield.
 */
@NullMarked
package dev.recorder.lock.election;

import org.jspecify.annotations.NullMarked;
