package dev.recorder.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A transaction of several statements, to be closed by {@code try}: what is not committed by then
 * is rolled back, and the session is back at one transaction per statement.
 *
 * <p>On a broken session the rollback fails as well. Closed by {@code try}, that failure does not
 * stand in the place of the one that broke the session.
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

  /** Ends whatever transaction is open, if any. */
  public static void end(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
