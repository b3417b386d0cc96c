package dev.recorder.postgres.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads, by name, what the driver has no type for. */
public final class Columns {
  private Columns() {}

  /** A time that is always there. */
  public static Instant time(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(instant(row, column), column);
  }

  /** A time, or null. */
  public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
