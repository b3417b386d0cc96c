package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlCall;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.time.NamedThreadFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Owns the host's one control session, and the queue that orders its transactions.
 *
 * <p>Transactions run one at a time on the manager's own thread, urgent ones (heartbeats) first.
 * Each transaction must be short and must not wait for a lock. When the session ends for any
 * reason, each {@link LockGuard} on it is notified at once, and queued transactions fail.
 *
 * <p>Thread-safe. At most {@value #LONGEST_QUEUE} transactions are queued, and further ones are
 * refused.
 */
public final class RdsManager implements AutoCloseable {
  private static final int LONGEST_QUEUE = 1_000;

  private final Sessions sessions;
  private final AtomicLong sequence = new AtomicLong();
  private final ThreadPoolExecutor thread;

  // Dropping guards and session is synchronized on guards. Only the manager's thread adds guards.
  private final Set<LockGuard> guards = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Session session;

  public record Identity(int pid, String backendStart) {}

  private record Session(Connection connection, Identity identity) {}

  public RdsManager(Sessions sessions) {
    this.sessions = sessions;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            new NamedThreadFactory("control-session"));
  }

  public SchemaNames schemas() {
    return sessions.schemas();
  }

  public String machine() {
    return sessions.machine();
  }

  /** Opens the session, after closing an earlier one. */
  public Identity connect() {
    return onThread(
        true,
        () -> {
          disconnect("reconnecting");
          Connection connection = sessions.openControl();
          Session opened = new Session(connection, identify(connection));
          session = opened;
          return opened.identity();
        });
  }

  /** Runs {@code transaction} in its turn and returns its result. */
  public <T extends @Nullable Object> T call(SqlFunction<Connection, T> transaction) {
    return onThread(false, () -> transact(transaction));
  }

  /** As {@link #call}, before all transactions that are not urgent. */
  public <T extends @Nullable Object> T callUrgently(SqlFunction<Connection, T> transaction) {
    return onThread(true, () -> transact(transaction));
  }

  /**
   * As {@link #call}, with another time limit. For creating tables at start-up, before heartbeats
   * depend on the session.
   */
  public <T extends @Nullable Object> T callWithin(
      Duration limit, SqlFunction<Connection, T> transaction) {
    return call(
        connection -> {
          int usual = connection.getNetworkTimeout();
          connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.toMillis()));
          SettingOverrides.limit(connection, limit.multipliedBy(9).dividedBy(10));
          T result = transaction.apply(connection);
          // After a failure the limits are not restored: start-up then opens a new session.
          SettingOverrides.limit(connection, Duration.ofMillis(usual * 3L / 4));
          connection.setNetworkTimeout(Runnable::run, usual);
          return result;
        });
  }

  /**
   * Returns the session's identity.
   *
   * @throws DatabaseException if there is no session
   */
  public Identity identity() {
    return current().identity();
  }

  public boolean isConnected() {
    return session != null;
  }

  /** Ends the session with all its locks. May be called on any thread, also during a call. */
  public void disconnect(String why) {
    Session dropped;
    List<LockGuard> lost;
    synchronized (guards) {
      dropped = session;
      session = null;
      lost = List.copyOf(guards);
      guards.clear();
    }
    lost.forEach(guard -> guard.lose(why));
    if (dropped != null) {
      SqlConnections.abort(dropped.connection());
    }
  }

  /** Closes the session and ends the thread. Queued transactions fail. */
  @Override
  public void close() {
    for (Runnable waiting : thread.shutdownNow()) {
      ((QueuedTask<?>) waiting).cancel(false);
    }
    disconnect("closed");
  }

  /**
   * Returns whether a guard of this session holds {@code lockId}. Call it on the manager's thread.
   */
  boolean isGuarded(int lockId) {
    return guards.stream().anyMatch(guard -> guard.lockId() == lockId);
  }

  /**
   * Registers the guard of a lock that was just granted on {@code connection}. Call it on the
   * manager's thread.
   */
  LockGuard guard(Connection connection, LockGuard guard) {
    guards.add(guard);
    Session current = session;
    if (current == null || current.connection() != connection) {
      guards.remove(guard);
      guard.lose("the session ended while the lock was being granted");
    }
    return guard;
  }

  void unregister(LockGuard guard) {
    guards.remove(guard);
  }

  private <T extends @Nullable Object> T transact(SqlFunction<Connection, T> transaction)
      throws SQLException {
    Connection connection = current().connection();
    try {
      return transaction.apply(connection);
    } catch (SQLException e) {
      rollback(connection);
      if (!SqlStates.sessionSurvives(e)) {
        disconnect(SqlStates.describe(e));
      }
      throw e;
    }
  }

  private Session current() {
    Session current = session;
    if (current == null) {
      throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, "no session with the database");
    }
    return current;
  }

  private static void rollback(Connection connection) {
    try {
      Transaction.end(connection);
    } catch (SQLException broken) {
      // The session will be dropped because of the original error.
    }
  }

  private static Identity identify(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pid, backend_start::text FROM pg_stat_get_activity(pg_backend_pid())")) {
      row.next();
      return new Identity(row.getInt(1), row.getString(2));
    }
  }

  private <T extends @Nullable Object> T onThread(boolean urgent, SqlCall<T> work) {
    if (thread.getQueue().size() >= LONGEST_QUEUE) {
      throw new DatabaseException(
          DatabaseErrorKind.BUSY,
          LONGEST_QUEUE + " transactions are waiting for the control session");
    }
    QueuedTask<T> turn = new QueuedTask<>(urgent, sequence.incrementAndGet(), work);
    try {
      thread.execute(turn);
      return turn.get();
    } catch (RejectedExecutionException | CancellationException closed) {
      throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, "the control session is closed");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error fatal) {
        throw fatal; // Not a database failure: it must end the caller.
      }
      throw translate(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException(
          DatabaseErrorKind.BUSY, "interrupted while waiting for the database", e);
    }
  }

  private static DatabaseException translate(@Nullable Throwable cause) {
    if (cause instanceof SQLException sql) {
      return DatabaseException.of(sql);
    } else if (cause instanceof DatabaseException already) {
      return already;
    }
    return new DatabaseException(DatabaseErrorKind.FAILED, String.valueOf(cause));
  }

  /** A queued transaction: urgent ones first, then in order of arrival. */
  private static final class QueuedTask<T extends @Nullable Object> extends FutureTask<T>
      implements Comparable<QueuedTask<?>> {
    private final boolean urgent;
    private final long number;

    QueuedTask(boolean urgent, long number, SqlCall<T> work) {
      super(work::run);
      this.urgent = urgent;
      this.number = number;
    }

    @Override
    public int compareTo(QueuedTask<?> other) {
      return urgent != other.urgent ? (urgent ? -1 : 1) : Long.compare(number, other.number);
    }
  }
}
