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
record RowClaim(RowName name, String owner, @Nullable Integer retries) {
  /** Sets {@code :queue}, {@code :id} and {@code :owner}. */
  SqlStatement bind(SqlStatement statement) throws SQLException {
    return name.bind(statement).set("owner", owner);
  }

  /** Sets {@code :retries} as well. */
  SqlStatement bindNew(SqlStatement statement) throws SQLException {
    return bind(statement).setIntOrNull("retries", retries);
  }
}
