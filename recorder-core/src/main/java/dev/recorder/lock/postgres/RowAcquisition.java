package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to take a row lock.
 *
 * @param owner a name unique to this attempt
 * @param retries how often a new row can be acquired; null without limit
 */
public record RowAcquisition(RowName name, String owner, @Nullable Integer retries) {
  /** Sets {@code :queue}, {@code :id} and {@code :owner}. */
  public SqlStatement bind(SqlStatement statement) throws SQLException {
    return name.bind(statement).set("owner", owner);
  }

  /** Sets {@code :retries} as well. */
  public SqlStatement bindNew(SqlStatement statement) throws SQLException {
    return bind(statement).setIntOrNull("retries", retries);
  }
}
