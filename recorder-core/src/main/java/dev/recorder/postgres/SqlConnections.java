package dev.recorder.postgres;

import dev.recorder.time.NamedThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;

/** Helpers for JDBC connections. */
public final class SqlConnections {
  private static final NamedThreads ENDING = new NamedThreads("session-end");

  /** Longer than an end takes that needs no answer. */
  private static final long A_MOMENT_MILLIS = 20;

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
   * that work, and say goodbye to a server that may not listen. Over TLS so does the end itself, on
   * a thread of its own then: it is waited for no longer than a moment.
   */
  public static void abort(Connection connection) {
    abort(connection, SqlConnections::forAMoment);
  }

  private static void forAMoment(Runnable ending) {
    Thread thread = ENDING.newThread(ending);
    thread.start();
    try {
      thread.join(A_MOMENT_MILLIS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it at once, with the part that may take long on {@code executor}. */
  public static void abort(Connection connection, Executor executor) {
    try {
      connection.abort(executor);
    } catch (SQLException gone) {
      // What cannot be aborted is gone already.
    }
  }
}
