package dev.recorder.lock.postgres.tasks;

import dev.recorder.postgres.sql.TimestampColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code lock_task}; times are the server's.
 *
 * @param owner of the last capture; null if there was none, or the status was set by force since
 * @param token of the last capture; null if there was none
 * @param setAt when the status was set
 * @param deadline of the owner; null without an owner
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
    @Nullable Instant deadline) {
  static TaskRow of(ResultSet row) throws SQLException {
    return new TaskRow(
        row.getString("queue_id"),
        row.getString("id"),
        TaskStatus.of(row.getString("status")),
        row.getObject("retries_left", Integer.class),
        row.getString("owner"),
        row.getObject("token", Long.class),
        row.getTimestamp("added_at").toInstant(),
        row.getTimestamp("set_at").toInstant(),
        TimestampColumns.instant(row, "captured_at"),
        TimestampColumns.instant(row, "deadline"));
  }
}
