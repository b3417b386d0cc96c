package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;

/** A row that was taken: which, under which name, and with which token. */
record TakenRow(RowName name, String owner, long token) {
  /** Sets {@code :queue}, {@code :id}, {@code :owner} and {@code :token}. */
  SqlStatement bind(SqlStatement statement) throws SQLException {
    return name.bind(statement).set("owner", owner).set("token", token);
  }
}
