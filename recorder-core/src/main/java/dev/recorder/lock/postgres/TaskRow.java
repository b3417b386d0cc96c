package dev.recorder.lock.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
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
    @Nullable Instant deadline) {
  static TaskRow of(ResultSet row) throws SQLException {
    return new TaskRow(
        row.getString(1),
        row.getString(2),
        TaskStatus.of(row.getString(3)),
        row.getObject(4, Integer.class),
        row.getString(5),
        row.getObject(6, Long.class),
        row.getTimestamp(7).toInstant(),
        row.getTimestamp(8).toInstant(),
        Columns.instant(row, 9),
        Columns.instant(row, 10));
  }
}
