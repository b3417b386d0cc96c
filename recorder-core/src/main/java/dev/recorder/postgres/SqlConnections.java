package dev.recorder.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;

/** Helpers for JDBC connections. */
public final class SqlConnections {
  private SqlConnections() {}

  /** Ends it gracefully, on the thread that uses it. */
  public static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException gone) {
      // What cannot be closed is gone already, or the server ends it as soon as it notices.
    }
  }

  /**
   * Ends it at once, from any thread; work under way on it fails. {@code close()} would wait for
   * that work, and say goodbye to a server that may not listen.
   */
  public static void abort(Connection connection) {
    abort(connection, Runnable::run);
  }

  /** The same, with the part that may take long on {@code executor}. */
  public static void abort(Connection connection, Executor executor) {
    try {
      connection.abort(executor);
    } catch (SQLException gone) {
      // What cannot be aborted is gone already.
    }
  }
}
