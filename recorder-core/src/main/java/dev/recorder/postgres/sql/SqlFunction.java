package dev.recorder.postgres.sql;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Work on a connection, a statement or a row that may throw a {@link SQLException}. */
@FunctionalInterface
public interface SqlFunction<A, R extends @Nullable Object> {
  R apply(A argument) throws SQLException;
}
