package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lock with a time-out as the table has it; times are the server's.
 *
 * @param now when the table was read
 * @param dueAt when it can be taken again; null if it was released, or nobody ever had it
 * @param retriesLeft how often it can still be acquired; null for any number of times
 * @param owner who had it last; null if nobody did, or it was released since
 * @param token of the last acquisition
 * @param acquiredAt of the last acquisition; null as {@code dueAt} is
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
  /** Whether it can be taken as far as its time goes. */
  public boolean due() {
    return dueAt == null || now.isAfter(dueAt);
  }

  static TimeoutRow of(ResultSet row) throws SQLException {
    return new TimeoutRow(
        row.getString("queue_id"),
        row.getString("id"),
        Columns.time(row, "now"),
        Columns.instant(row, "due_at"),
        row.getObject("retries_left", Integer.class),
        row.getString("owner"),
        row.getObject("token", Long.class),
        Columns.instant(row, "taken_at"));
  }
}
