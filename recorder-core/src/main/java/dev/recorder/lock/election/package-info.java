/**
 * The life of a worker that only one process of a fleet may be: {@link
 * dev.recorder.lock.election.LifeCycle} decides and is pure; {@link
 * dev.recorder.lock.election.ElectedWorker} runs it on any {@link
 * dev.recorder.lock.DistributedLock}.
 */
@NullMarked
package dev.recorder.lock.election;

import org.jspecify.annotations.NullMarked;
