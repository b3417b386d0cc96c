package dev.recorder.lock.postgres;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task as the table has it; times are the server's.
 *
 * @param owner who captured it last; null if nobody did, or its status was set by force since
 * @param token of the last capture; null if there was none
 * @param setAt when the status was set
 * @param deadline of who has it; null if nobody has
 */
public record TaskRow(
    String queue,
    String id,
    TaskStatus status,
    @Nullable Integer retriesLeft,
    @Nullable String owner,
    @Nullable Long token,
    Instant addedAt,
    Instant setAt,
    @Nullable Instant capturedAt,
    @Nullable Instant deadline) {}
