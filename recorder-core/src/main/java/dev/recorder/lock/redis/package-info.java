/**
 * Locks that are expiring keys of a Redis server.
 *
 * <p>Acquisitions and releases run on the caller's thread, over a few shared connections. Each
 * {@link dev.recorder.lock.redis.RedisLocks} has two daemon threads: {@code redis-lock-keeper-1}
 * renews over a connection of its own; {@code redis-lock-deadlines-1} signals expired leases and
 * never calls the server, so that a hanging server delays no signal. Only this package knows the
 * client, Jedis. Other packages have the states: {@code LeaseLife} of {@code lock} has those of a
 * lease, and {@code WorkerLifeCycle} of {@code lock.election} those of a worker that waits for a
 * key.
 */
@NullMarked
package dev.recorder.lock.redis;

import org.jspecify.annotations.NullMarked;
