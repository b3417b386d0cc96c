package dev.recorder.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session for bulk reads, plans and settles, with a thread of its own. Several recorders may
 * share it, one transaction at a time. The session is opened at its first use, and again after a
 * failure.
 *
 * <p>As an {@link Executor} it runs tasks on that thread; at most {@value #LONGEST_QUEUE} are
 * queued. {@link #connection()} and {@link #rollBack} may be called on that thread only, {@link
 * #abort} on any.
 */
public final class DataSession implements Executor, AutoCloseable {
  private static final int LONGEST_QUEUE = 4_000;

  private final Sessions sessions;
  private final int number;
  private final ThreadPoolExecutor thread;
  private volatile @Nullable Connection connection;
  private long opened;

  /** Makes a session. Failures on its thread go to the process's default handler. */
  public DataSession(Sessions sessions, int number) {
    this(sessions, number, FatalErrorHandler.OF_PROCESS);
  }

  /** Makes a session. Failures on its thread go to {@code fatal}. */
  public DataSession(Sessions sessions, int number, FatalErrorHandler fatal) {
    this.sessions = sessions;
    this.number = number;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(LONGEST_QUEUE),
            new NamedThreadFactory("data-session-" + number, fatal));
  }

  public SchemaNames schemas() {
    return sessions.schemas();
  }

  @Override
  public void execute(Runnable work) {
    thread.execute(work);
  }

  /** Returns the open connection, or opens one. */
  public Connection connection() throws SQLException {
    Connection current = connection;
    if (current == null || current.isClosed()) {
      current = sessions.openData();
      opened++;
      connection = current;
      if (thread.isShutdown()) {
        abort(); // Closed while the connection was being opened.
        throw new SQLException("the session was closed while it was being opened", "08003");
      }
    }
    return current;
  }

  /**
   * Returns the name of this connection. Content read on it may only be planned on it, since
   * another connection could reach a database that has lost the rows.
   */
  public String name() {
    return number + "/" + opened;
  }

  /**
   * Ends the connection, from any thread. Running work fails at once, and the next work opens
   * another connection.
   */
  public void abort() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      SqlConnections.abort(current);
    }
  }

  /** Ends a transaction that failed work may have left open. For the session's thread. */
  public void rollBack() {
    Connection current = connection;
    try {
      if (current != null && !current.isClosed()) {
        Transaction.end(current);
      }
    } catch (SQLException broken) {
      abort();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    abort();
  }
}
