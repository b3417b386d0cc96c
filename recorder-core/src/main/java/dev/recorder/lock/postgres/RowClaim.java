package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to take a row that is a lock.
 *
 * @param owner a name that only this attempt has
 * @param retries how often the lock can be taken if the row is not there yet; null without limit
 */
public record RowClaim(RowName name, String owner, @Nullable Integer retries) {
  /** Sets {@code :queue}, {@code :id} and {@code :owner}. */
  public SqlStatement bind(SqlStatement statement) throws SQLException {
    return name.bind(statement).set("owner", owner);
  }

  /** Sets {@code :retries} as well. */
  public SqlStatement bindNew(SqlStatement statement) throws SQLException {
    return bind(statement).setIntOrNull("retries", retries);
  }
}
