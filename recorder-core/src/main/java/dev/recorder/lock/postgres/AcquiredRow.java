package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A taken row of a row lock.
 *
 * @param left the time until another holder can have the row, for kinds with turns
 */
public record AcquiredRow(RowName name, String owner, long token, Duration left) {
  /** Reads the columns of {@code {granted}}. */
  static AcquiredRow of(RowAcquisition claim, ResultSet row) throws SQLException {
    Duration left = Duration.ofMillis(Math.max(0, row.getLong(2)));
    return new AcquiredRow(claim.name(), claim.owner(), row.getLong(1), left);
  }

  /** Sets {@code :queue}, {@code :id}, {@code :owner} and {@code :token}. */
  public SqlStatement bind(SqlStatement statement) throws SQLException {
    return name.bind(statement).set("owner", owner).set("token", token);
  }
}
