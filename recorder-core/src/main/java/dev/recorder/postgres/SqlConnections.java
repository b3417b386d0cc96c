package dev.recorder.postgres;

import dev.recorder.time.NamedThreadFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;

/** Ends JDBC connections. */
public final class SqlConnections {
  private static final NamedThreadFactory ENDING = new NamedThreadFactory("session-end");

  /** Longer than an end without an answer takes. */
  private static final long A_MOMENT_MILLIS = 20;

  private SqlConnections() {}

  /** Closes the connection, on the thread that uses it. */
  public static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException gone) {
      // It is closed already, or the server ends it as soon as it notices.
    }
  }

  /**
   * Ends the connection at once, from any thread; running work fails. {@code close()} would wait
   * for that work, and for a server that may not answer. Over TLS the end may wait as well: it runs
   * on a thread of its own, for which the caller waits {@value #A_MOMENT_MILLIS} ms at most.
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

  /** Ends the connection at once; what may take long runs on {@code executor}. */
  public static void abort(Connection connection, Executor executor) {
    try {
      connection.abort(executor);
    } catch (SQLException gone) {
      // It is closed already.
    }
  }
}
