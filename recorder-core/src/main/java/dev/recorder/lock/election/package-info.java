/**
 * Elected workers: one process of a fleet runs the work. {@link
 * dev.recorder.lock.election.WorkerLifeCycle} decides and is pure; {@link
 * dev.recorder.lock.election.ElectedWorker} runs it on any {@link
 * dev.recorder.lock.DistributedLock}.
 *
 * <p>This package knows neither kinds of locks nor the work. Each worker has a thread, {@code
 * elected-worker-LOCK-1}, which requests and releases the lock and runs {@code WorkerLifeCycle}.
 * Any thread may start, stop or yield.
 */
@NullMarked
package dev.recorder.lock.election;

import org.jspecify.annotations.NullMarked;
