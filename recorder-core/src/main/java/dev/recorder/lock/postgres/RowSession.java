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
 * The session of a service of locks that are rows. Opened when first needed, used on the callers'
 * threads in turn, dropped with the first failure that it does not survive and opened again by the
 * next call. One that was idle is asked first whether it still is one: a server that was restarted
 * meanwhile costs nobody a call. A failed call has taken at most {@link #TURN}, a connect and an
 * answer's time-out.
 *
 * <p>Where an answer is lost, the remedy of what is {@link Unanswered} is run before whatever is
 * asked next.
 */
public final class RowSession implements AutoCloseable {
  /** How long a caller waits for others on the session. */
  static final Duration TURN = Duration.ofSeconds(5);

  /**
   * How long after an answer a session is considered alive. A server does not restart faster, and
   * who calls again and again pays nothing.
   */
  private static final Duration TRUSTED = Duration.ofMillis(100);

  private static final Command NOTHING = Command.of("");
  private static final Command ANYTHING = Command.of("SELECT 1");

  private final Sessions sessions;
  private final Instruments instruments;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Unanswered unanswered;
  private final String owner;
  private final AtomicLong attempts = new AtomicLong();
  private volatile boolean closed;

  // Guarded by turn; the connection is ended by close(), too.
  private final Map<Map.Entry<?, ?>, SqlStatement> statements = new HashMap<>();
  private volatile @Nullable Connection connection;
  private long answeredAt;

  public RowSession(Sessions sessions, Instruments instruments) {
    this.sessions = sessions;
    this.instruments = instruments;
    this.unanswered = new Unanswered(instruments);
    this.owner = sessions.machine() + "/" + UUID.randomUUID() + "/";
  }

  /**
   * What a statement did that may have been asked twice.
   *
   * @param rows how many were changed by the one that was answered
   * @param again whether one before it was not answered, and may have changed them
   */
  public record ChangedRows(int rows, boolean again) {}

  /** A name for one attempt: of all services of all processes only this attempt has it. */
  public String nextOwner() {
    return owner + attempts.incrementAndGet();
  }

  /** Asks for what leaves no trace, or none that matters. */
  public <T> T ask(String lock, Command command, SqlFunction<SqlStatement, T> reading) {
    return ask(lock, command, reading, null);
  }

  /** Changes something that may be done, or not done, without an answer; for how many rows. */
  public int update(String lock, Command command) {
    return ask(lock, command, SqlStatement::update);
  }

  /**
   * Changes something.
   *
   * @param lock whose name failures bear
   * @param ifUnanswered run later if the answer is lost, any number of times
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
   * Changes something that may be done twice: if the first answer is lost, once more at once, since
   * it may have been the session that was dead; if that one is lost as well, later.
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

  /** The same, but not later: for what is of use only now. */
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
        drop(); // The next one may lead to the server that has become the primary.
      }
      throw failure(lock, failure);
    }
  }

  /** Kept open: to have the driver find it again takes longer than some of its work. */
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

  /** Not ended by an interrupt, which would leave locks unreleased that a dying thread closes. */
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
   * Probes with an empty statement, so a real one is never sent to a dead session and repeated. A
   * server that does not answer has used up the call's time: only an ended session is replaced.
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

  /** Settles what was not answered, if that can be done now, and ends the session. */
  @Override
  public void close() {
    try {
      if (!closed && !unanswered.isEmpty()) {
        ask("", ANYTHING, SqlStatement::number);
      }
    } catch (LockException unreachable) {
      // Nobody is there to be told, or could do more.
    }
    closed = true;
    drop(); // Whoever is using it meets an error.
  }
}
