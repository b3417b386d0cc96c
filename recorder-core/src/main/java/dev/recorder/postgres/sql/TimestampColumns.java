package dev.recorder.postgres.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads times as {@link Instant}s, for which the driver has no getter. */
public final class TimestampColumns {
  private TimestampColumns() {}

  /** Reads a time from a column that is never null. */
  public static Instant time(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(instant(row, column), column);
  }

  public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
