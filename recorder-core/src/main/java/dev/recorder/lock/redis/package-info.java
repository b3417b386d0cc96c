/**
 * The lock kind that is an expiring key of a Redis server.
 *
 * <p>Calls for a lock, and its release, run on the caller's thread, over a few connections that all
 * share. Two daemon threads belong to each {@link dev.recorder.lock.redis.RedisLocks}: {@code
 * redis-lock-keeper-1} renews over a connection of its own; {@code redis-lock-deadlines-1} talks to
 * nobody and signals what has expired, so that a server that hangs delays no signal. Only this
 * package knows the client, Jedis.
 */
@NullMarked
package dev.recorder.lock.redis;

import org.jspecify.annotations.NullMarked;
