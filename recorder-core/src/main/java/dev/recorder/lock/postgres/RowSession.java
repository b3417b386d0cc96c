package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The session of a row lock service. It is opened on first use, and used by its callers' threads in
 * turn. A failure that the session cannot survive closes it, and the next call opens another. An
 * idle session is probed before use, so that a restart of the server does not fail a call. A failed
 * call takes at most {@link #TURN}, a connect and the time-out of an answer.
 *
 * <p>After a lost answer the remedies of {@link UnconfirmedStatements} run before the next
 * statement.
 */
public final class RowSession implements AutoCloseable {
  /** How long a caller waits for other threads. */
  static final Duration TURN = Duration.ofSeconds(5);

  /**
   * How long after an answer a session counts as alive. A server does not restart faster, so
   * frequent calls can omit the probe.
   */
  private static final Duration TRUSTED = Duration.ofMillis(100);

  private static final Command NOTHING = Command.of("");
  private static final Command ANYTHING = Command.of("SELECT 1");

  private final Sessions sessions;
  private final Instruments instruments;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final UnconfirmedStatements unanswered;
  private final String owner;
  private final AtomicLong attempts = new AtomicLong();
  private volatile boolean closed;

  // Guarded by turn; close() also ends the connection.
  private final Map<Map.Entry<?, ?>, SqlStatement> statements = new HashMap<>();
  private volatile @Nullable Connection connection;
  private long answeredAt;

  public RowSession(Sessions sessions, Instruments instruments) {
    this.sessions = sessions;
    this.instruments = instruments;
    this.unanswered = new UnconfirmedStatements(instruments);
    this.owner = sessions.machine() + "/" + UUID.randomUUID() + "/";
  }

  /**
   * The result of a statement that may have been sent twice.
   *
   * @param rows the number of rows that the answered statement changed
   * @param again whether an earlier, unanswered statement may have changed them
   */
  public record ChangedRows(int rows, boolean again) {}

  /** Returns a name that is unique to one attempt among all processes. */
  public String nextOwner() {
    return owner + attempts.incrementAndGet();
  }

  /** Runs a statement whose lasting effects do not matter. */
  public <T> T ask(String lock, Command command, SqlFunction<SqlStatement, T> reading) {
    return ask(lock, command, reading, null);
  }

  /** Runs an update whose effect stays unknown without an answer; returns the number of rows. */
  public int update(String lock, Command command) {
    return ask(lock, command, SqlStatement::update);
  }

  /**
   * Runs a statement.
   *
   * @param lock the lock's name, for failures
   * @param ifUnanswered run later if the answer is lost, perhaps several times
   */
  public <T> T ask(
      String lock,
      Command command,
      SqlFunction<SqlStatement, T> reading,
      @Nullable Command ifUnanswered) {
    takeTurn(lock);
    try {
      Connection current = connected(lock);
      unanswered.settle(
          remedy -> run(lock, current, remedy, SqlStatement::update, null) > 0,
          () -> connection == null);
      return run(lock, current, command, reading, ifUnanswered);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Runs an idempotent update. If the answer is lost, the update is repeated at once, since the
   * session may have been dead. If the second answer is lost, too, it is repeated later.
   */
  public ChangedRows askTwice(String lock, Command command) {
    try {
      return askOnceMore(lock, command);
    } catch (LockException failed) {
      if (failed.kind() == Kind.UNREACHABLE) {
        unanswered.remember(command);
      }
      throw failed;
    }
  }

  /**
   * As {@link #askTwice}, but without the later repetition, for updates that are useful only now.
   */
  public ChangedRows askOnceMore(String lock, Command command) {
    try {
      return new ChangedRows(update(lock, command), false);
    } catch (LockException e) {
      if (e.kind() != Kind.UNREACHABLE) {
        throw e;
      }
      try {
        return new ChangedRows(update(lock, command), true);
      } catch (LockException again) {
        again.addSuppressed(e);
        throw again;
      }
    }
  }

  private <T> T run(
      String lock,
      Connection current,
      Command command,
      SqlFunction<SqlStatement, T> reading,
      @Nullable Command ifUnanswered) {
    try {
      SqlStatement statement = prepared(current, command);
      T answer = reading.apply(statement);
      answeredAt = instruments.nanos();
      return answer;
    } catch (SQLException e) {
      DatabaseException failure = DatabaseException.of(e);
      if (!failure.sessionSurvives()) {
        drop();
        if (ifUnanswered != null) {
          unanswered.remember(ifUnanswered);
        }
      } else if (failure.mayPassSoon()) {
        drop(); // The next session may reach the new primary.
      }
      throw failure(lock, failure);
    }
  }

  /**
   * Returns the prepared statement, which is kept, since the driver's look-up takes longer than
   * some statements.
   */
  private SqlStatement prepared(Connection current, Command command) throws SQLException {
    Map.Entry<?, ?> asWritten = Map.entry(command.text(), command.pieces());
    SqlStatement known = statements.get(asWritten);
    if (known == null) {
      known = command.in(sessions.schemas()).on(current);
      statements.put(asWritten, known);
    }
    command.values().apply(known);
    return known;
  }

  /**
   * Waits for the turn, despite interrupts; otherwise a dying thread could not release its locks.
   */
  private void takeTurn(String lock) {
    boolean interrupted = false;
    long deadline = instruments.nanos() + TURN.toNanos();
    try {
      while (true) {
        try {
          if (turn.tryLock(deadline - instruments.nanos(), TimeUnit.NANOSECONDS)) {
            return;
          }
          throw new LockException(
              lock,
              Kind.UNREACHABLE,
              "others have used the session for " + TURN.toSeconds() + " s: the server is slow");
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Connection connected(String lock) {
    if (closed) {
      throw new LockException(lock, Kind.UNUSABLE, "its service was closed");
    }
    Connection current = connection;
    if (current != null && isAlive(lock, current)) {
      return current;
    }
    try {
      Connection opened = sessions.openLockRows();
      statements.clear();
      answeredAt = instruments.nanos();
      connection = opened;
      if (closed) {
        drop();
        throw new LockException(lock, Kind.UNUSABLE, "its service was closed");
      }
      return opened;
    } catch (DatabaseException e) {
      throw failure(lock, e);
    }
  }

  /**
   * Probes with an empty statement, so that no real one is sent to a dead session. If the server
   * does not answer, the call's time is used up, so only an ended session is replaced.
   */
  private boolean isAlive(String lock, Connection current) {
    if (instruments.nanos() - answeredAt < TRUSTED.toNanos()) {
      return true;
    }
    try {
      prepared(current, NOTHING).complete().execute();
      return true;
    } catch (SQLException gone) {
      drop();
      if (LockFailures.isTimeout(gone)) {
        throw failure(lock, DatabaseException.of(gone));
      }
      return false;
    }
  }

  private LockException failure(String lock, DatabaseException e) {
    return LockFailures.of(lock, e, sessions.schemas());
  }

  private void drop() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      SqlConnections.abort(current);
    }
  }

  /** Runs the remedies for lost answers, if possible, and ends the session. */
  @Override
  public void close() {
    try {
      if (!closed && !unanswered.isEmpty()) {
        ask("", ANYTHING, SqlStatement::number);
      }
    } catch (LockException unreachable) {
      // There is no caller left to tell.
    }
    closed = true;
    drop(); // A concurrent call fails.
  }
}
