package dev.recorder.postgres;

import dev.recorder.time.NamedThreadFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Executor;

/** Ends JDBC connections. */
public final class SqlConnections {
  private static final NamedThreadFactory ENDING = new NamedThreadFactory("session-end");

  /** Longer than an end that needs no answer takes. */
  private static final long A_MOMENT_MILLIS = 20;

  private SqlConnections() {}

  /** Closes the connection, on the thread that uses it. */
  public static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException gone) {
      // The connection is closed already, or the server ends it as soon as it notices.
    }
  }

  /**
   * Ends the connection at once, from any thread. Running work fails. {@code close()} would wait
   * for that work, and for a server that may not answer. Over TLS even the end may wait. So it runs
   * on a thread of its own, for which the caller waits at most {@value #A_MOMENT_MILLIS} ms.
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

  /** Ends the connection at once. The steps that may take long run on {@code executor}. */
  public static void abort(Connection connection, Executor executor) {
    try {
      connection.abort(executor);
    } catch (SQLException gone) {
      // It is closed already.
    }
  }
}
