package dev.recorder.lock.postgres;

import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Draws tokens from the sequence {@code lock_token} of PostgreSQL's control schema, one sequence
 * for all names. The sequence is as durable as the database: a crash or restart repeats no number,
 * but a failover to a standby that lags behind may.
 *
 * <p>It has one session, opened on first use and again after a failure; calls take turns. An
 * interrupt ends the wait for a turn at once. It does not end a wait for PostgreSQL. That wait
 * lasts until the answer or its time-out; if the session has to be reopened, a connect and as much
 * again is added. Thread-safe.
 */
public final class SequenceCounter implements FencingCounter, AutoCloseable {
  private final Sessions sessions;
  private final Duration timeout;
  private final Sql query;
  private final ReentrantLock turn = new ReentrantLock(true);

  // Guarded by turn.
  private @Nullable Connection connection;
  private @Nullable SqlStatement statement;

  /**
   * Creates a counter without a connection.
   *
   * @param timeout longest wait for a turn, and for each answer; connecting has the session's own
   *     time-out of some seconds
   */
  public SequenceCounter(Sessions sessions, Duration timeout) {
    this.sessions = sessions;
    this.timeout = timeout;
    this.query =
        Sql.of("SELECT {nextToken}", Map.of("nextToken", Command.nextToken(sessions.schemas())));
  }

  @Override
  public long next(String name) {
    takeTurn(name);
    try {
      boolean fresh = connection == null;
      try {
        return statement().number();
      } catch (SQLException failed) {
        disconnect();
        if (fresh) {
          throw failed;
        }
        // The server may have ended the session long ago, so the statement is repeated. A skipped
        // number is harmless.
        return statement().number();
      }
    } catch (SQLException failed) {
      disconnect();
      throw new LockException(name, kindOf(failed), "no fencing token: " + text(failed), failed);
    } catch (DatabaseException failed) {
      throw new LockException(
          name, LockFailures.kindOf(failed), "no fencing token: " + failed.getMessage(), failed);
    } finally {
      turn.unlock();
    }
  }

  private void takeTurn(String name) {
    try {
      if (turn.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    throw new LockException(
        name, LockException.Kind.UNREACHABLE, "no fencing token: the counter is busy; try again");
  }

  private SqlStatement statement() throws SQLException {
    SqlStatement open = statement;
    if (open == null) {
      Connection opened = sessions.openLockRows();
      connection = opened;
      opened.setNetworkTimeout(Runnable::run, Math.toIntExact(timeout.toMillis()));
      open = query.on(opened);
      statement = open;
    }
    return open;
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    statement = null;
    if (open != null) {
      SqlConnections.abort(open);
    }
  }

  private static LockException.Kind kindOf(SQLException failed) {
    String state = String.valueOf(failed.getSQLState());
    if (state.equals(SqlStates.NO_RIGHT)) {
      return LockException.Kind.RIGHTS;
    }
    return LockFailures.isWithoutTables(state)
        ? LockException.Kind.UNUSABLE
        : LockException.Kind.UNREACHABLE;
  }

  private static String text(SQLException failed) {
    return String.valueOf(failed.getMessage()).lines().findFirst().orElse("").strip();
  }

  @Override
  public void close() {
    turn.lock();
    try {
      disconnect();
    } finally {
      turn.unlock();
    }
  }
}
