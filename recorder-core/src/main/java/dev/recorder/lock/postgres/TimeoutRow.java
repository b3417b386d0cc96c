package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lock with a time-out as the table has it; times are the server's.
 *
 * @param due whether it can be taken as far as its time goes
 * @param dueAt when that is or was; null if it was released, or nobody ever had it
 * @param timeout of its last holder
 * @param retriesLeft how often it can still be acquired; null for any number of times
 * @param owner who had it last; null if nobody did, or it was released since
 * @param token of the last acquisition
 * @param acquiredAt of the last acquisition; null as {@code dueAt} is
 */
public record TimeoutRow(
    String queue,
    String id,
    boolean due,
    @Nullable Instant dueAt,
    Duration timeout,
    @Nullable Integer retriesLeft,
    @Nullable String owner,
    @Nullable Long token,
    @Nullable Instant acquiredAt) {
  static TimeoutRow of(ResultSet row) throws SQLException {
    Duration timeout = Duration.ofMillis(row.getLong("timeout_ms"));
    Instant last = Columns.instant(row, "taken_at");
    Instant dueAt = last == null ? null : last.plus(timeout.minus(TimeoutLocks.slack(timeout)));
    Instant now = Columns.time(row, "now");
    return new TimeoutRow(
        row.getString("queue_id"),
        row.getString("id"),
        dueAt == null || now.isAfter(dueAt),
        dueAt,
        timeout,
        row.getObject("retries_left", Integer.class),
        row.getString("owner"),
        row.getObject("token", Long.class),
        last);
  }
}
