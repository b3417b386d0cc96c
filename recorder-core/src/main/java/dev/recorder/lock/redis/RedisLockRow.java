package dev.recorder.lock.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lock as the server has it.
 *
 * @param value of the key
 * @param worker who has the lock
 * @param remaining until its key expires unless it is renewed; null if it does not
 * @param token the last one that the server counted; null if tokens come from elsewhere
 */
public record RedisLockRow(
    String name, String value, String worker, @Nullable Duration remaining, @Nullable Long token) {}
