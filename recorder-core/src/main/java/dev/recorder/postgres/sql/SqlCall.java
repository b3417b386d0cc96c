package dev.recorder.postgres.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Work that may fail as the driver does. */
@FunctionalInterface
public interface SqlCall<R extends @Nullable Object> {
  R run() throws SQLException;
}
