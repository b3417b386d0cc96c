package dev.recorder.requests.postgres;

import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request as in its table.
 *
 * @param process the unit that settled it
 * @param attempts number of attempts
 * @param lostAttempts attempts that never ended; the column {@code deaths}
 * @param begunBy the host that processes the request, or died during it
 * @param error the reason of the last failure, final or not
 * @param notBefore when the next attempt may begin
 * @param payload null if the column is NULL, or if the reader may not see it
 */
public record RequestRow(
    long id,
    RequestType type,
    RequestStatus status,
    String entity,
    @Nullable UUID process,
    int attempts,
    int lostAttempts,
    @Nullable String begunBy,
    @Nullable String error,
    @Nullable Instant notBefore,
    Instant createdAt,
    @Nullable Instant settledAt,
    @Nullable String payload) {}
