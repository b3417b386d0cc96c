package dev.recorder.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A transaction of several statements, for {@code try}-with-resources: {@link #close} rolls back
 * all changes that were not committed, and returns the session to auto-commit.
 *
 * <p>On a broken session the rollback fails, too. In a {@code try}, Java adds that failure to the
 * original one as a suppressed exception.
 */
public final class Transaction implements AutoCloseable {
  private final Connection connection;

  private Transaction(Connection connection) {
    this.connection = connection;
  }

  public static Transaction begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    return new Transaction(connection);
  }

  public void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    end(connection);
  }

  /** Rolls back an open transaction, if any, and returns to auto-commit. */
  public static void end(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
