package dev.recorder.postgres.sql;

import java.sql.SQLException;

/** As {@link SqlFunction}, without a result. */
@FunctionalInterface
public interface SqlAction<A> {
  void apply(A argument) throws SQLException;
}
