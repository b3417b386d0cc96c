package dev.recorder.lock.postgres;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mutex as the table has it; times are the server's.
 *
 * @param retriesLeft how often it can still be acquired; null for any number of times
 * @param owner who acquired it last; null if nobody did, or it was released by force since
 * @param token of the last acquisition
 */
public record MutexRow(
    String queue,
    String id,
    boolean acquired,
    @Nullable Integer retriesLeft,
    @Nullable String owner,
    @Nullable Long token,
    @Nullable Instant acquiredAt,
    @Nullable Instant releasedAt) {}
