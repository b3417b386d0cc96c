package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * A row that was taken: which, under which name, and with which token.
 *
 * @param left until somebody else can have it, of a kind that has turns
 */
public record TakenRow(RowName name, String owner, long token, Duration left) {
  /** As {@code {granted}} gives it. */
  static TakenRow of(RowClaim claim, ResultSet row) throws SQLException {
    Duration left = Duration.ofMillis(Math.max(0, row.getLong(2)));
    return new TakenRow(claim.name(), claim.owner(), row.getLong(1), left);
  }

  /** Sets {@code :queue}, {@code :id}, {@code :owner} and {@code :token}. */
  public SqlStatement bind(SqlStatement statement) throws SQLException {
    return name.bind(statement).set("owner", owner).set("token", token);
  }
}
