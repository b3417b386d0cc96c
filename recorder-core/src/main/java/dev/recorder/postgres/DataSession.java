package dev.recorder.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.time.Fatal;
import dev.recorder.time.NamedThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One session for bulk reads, plans and settles, with a thread of its own; several recorders may
 * share it, each transaction of theirs in turn. Opened when first needed and again after it broke.
 *
 * <p>As an {@link Executor} it runs work on that thread; at most {@value #LONGEST_QUEUE} pieces
 * wait. {@link #connection()} and {@link #rollBack} are for that thread alone, {@link #abort} for
 * any.
 */
public final class DataSession implements Executor, AutoCloseable {
  private static final int LONGEST_QUEUE = 4_000;

  private final Sessions sessions;
  private final int number;
  private final ThreadPoolExecutor thread;
  private volatile @Nullable Connection connection;
  private long opened;

  /** A session whose thread's failures go to the process's own handler. */
  public DataSession(Sessions sessions, int number) {
    this(sessions, number, Fatal.OF_PROCESS);
  }

  /** A session that tells {@code fatal} of work that fails on its thread. */
  public DataSession(Sessions sessions, int number, Fatal fatal) {
    this.sessions = sessions;
    this.number = number;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(LONGEST_QUEUE),
            new NamedThreads("data-session-" + number, fatal));
  }

  public SchemaNames schemas() {
    return sessions.schemas();
  }

  @Override
  public void execute(Runnable work) {
    thread.execute(work);
  }

  /** The open session; opens one if there is none. */
  public Connection connection() throws SQLException {
    Connection current = connection;
    if (current == null || current.isClosed()) {
      current = sessions.openData();
      opened++;
      connection = current;
      if (thread.isShutdown()) {
        abort(); // The machine closed it while the session was being opened.
        throw new SQLException("the session was closed while it was being opened", "08003");
      }
    }
    return current;
  }

  /**
   * Names this very session: content read on it may be planned on it and on no other, since another
   * might talk to a database that has lost the rows.
   */
  public String name() {
    return number + "/" + opened;
  }

  /**
   * Ends the session, from any thread; work under way on it fails at once. The next work opens
   * again.
   */
  public void abort() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      SqlConnections.abort(current);
    }
  }

  /** Ends a transaction that failed work may have left open, on the session's thread. */
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
