package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.TimestampColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code lock_timeout}; times are the server's.
 *
 * @param now when the table was read
 * @param dueAt when the lock can be taken again; null if it was released or never taken
 * @param retriesLeft how often the lock can still be acquired; null without limit
 * @param owner of the last acquisition; null if there was none, or it was released since
 * @param token of the last acquisition
 * @param acquiredAt time of the last acquisition; null as {@code dueAt} is
 */
public record TimeoutRow(
    String queue,
    String id,
    Instant now,
    @Nullable Instant dueAt,
    @Nullable Integer retriesLeft,
    @Nullable String owner,
    @Nullable Long token,
    @Nullable Instant acquiredAt) {
  /** Whether the lock can be taken again. */
  public boolean due() {
    return dueAt == null || now.isAfter(dueAt);
  }

  static TimeoutRow of(ResultSet row) throws SQLException {
    return new TimeoutRow(
        row.getString("queue_id"),
        row.getString("id"),
        TimestampColumns.time(row, "now"),
        TimestampColumns.instant(row, "due_at"),
        row.getObject("retries_left", Integer.class),
        row.getString("owner"),
        row.getObject("token", Long.class),
        TimestampColumns.instant(row, "taken_at"));
  }
}
