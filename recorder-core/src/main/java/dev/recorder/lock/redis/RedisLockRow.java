package dev.recorder.lock.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A held lock on the server.
 *
 * @param value of the key
 * @param worker that holds the lock
 * @param remaining the time until the key expires unless renewed; null if it does not expire
 * @param token the server's last count; null if tokens come from elsewhere
 */
public record RedisLockRow(
    String name, String value, String worker, @Nullable Duration remaining, @Nullable Long token) {}
