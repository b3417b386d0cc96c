package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.TimestampColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code lock_mutex}; times are the server's.
 *
 * @param retriesLeft how often the mutex can still be acquired; null without limit
 * @param owner of the last acquisition; null if there was none, or it was released by force
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
    @Nullable Instant releasedAt) {
  static MutexRow of(ResultSet row) throws SQLException {
    return new MutexRow(
        row.getString("queue_id"),
        row.getString("id"),
        row.getBoolean("acquired"),
        row.getObject("retries_left", Integer.class),
        row.getString("owner"),
        row.getObject("token", Long.class),
        TimestampColumns.instant(row, "acquired_at"),
        TimestampColumns.instant(row, "released_at"));
  }
}
