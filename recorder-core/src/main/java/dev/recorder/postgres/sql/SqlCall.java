package dev.recorder.postgres.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Work that may throw a {@link SQLException}. */
@FunctionalInterface
public interface SqlCall<R extends @Nullable Object> {
  R run() throws SQLException;
}
