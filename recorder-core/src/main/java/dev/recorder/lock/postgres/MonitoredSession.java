package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.socket.IdleWatch;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlCall;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A session that holds locks, and whose end is noticed.
 *
 * <p>Operations run on the callers' threads, one at a time, since handing them to another thread
 * would cost more than the database does. A thread checks every {@link #LOOK} whether the server
 * answers. An {@link IdleWatch} reads from the connection between operations, and reports an
 * operation that takes long. The session ends with the first failure that it cannot survive.
 */
final class MonitoredSession {
  /** How often the server is checked. */
  static final Duration LOOK = Duration.ofMillis(250);

  private static final NamedThreadFactory THREADS = new NamedThreadFactory("lock-look");
  private static final NamedThreadFactory CLOSING = new NamedThreadFactory("lock-close");
  private static final Duration DOUBT = LOOK.multipliedBy(2);

  /** The owner of the session. */
  interface Holder {
    /** The session was alive after {@code sentAt}. */
    void confirmed(long sentAt);

    /** The session may have ended. */
    void doubted();

    /** A check succeeded; the calling thread holds the turn. */
    void looked();

    void ended(Loss loss);
  }

  /** The thread that holds the turn may call {@link #operate}. */
  final ReentrantLock turn = new ReentrantLock(true);

  final Connection connection;
  private final Holder holder;
  private final Instruments instruments;
  private final IdleWatch watch;
  private final PreparedStatement question;
  private final AtomicReference<@Nullable Loss> end = new AtomicReference<>();

  // Guarded by turn; volatile fields may be read without it.
  private volatile long begunAt;
  private volatile boolean busy;
  private long confirmedAt;

  /**
   * Opens a session.
   *
   * @param slice how long a statement waits for a lock
   */
  MonitoredSession(Sessions sessions, Instruments instruments, Duration slice, Holder holder)
      throws SQLException {
    this.holder = holder;
    this.instruments = instruments;
    this.confirmedAt = instruments.nanos();
    this.watch = new IdleWatch(this::look, this::doubtWhatTakesLong);
    this.connection = sessions.openLocks(slice, watch);
    this.question = Sql.of("").on(connection).complete();
  }

  void start() {
    watch.start();
    THREADS.newThread(this::lookUntilTheEnd).start();
  }

  /** Returns how the session ended; null while it is open. */
  @Nullable Loss end() {
    return end.get();
  }

  /** Runs an operation, for the thread that holds the turn. */
  <T> T operate(SqlCall<T> work) {
    Loss already = end.get();
    if (already != null) {
      throw new DatabaseException(
          DatabaseErrorKind.UNREACHABLE, "the session has ended; " + already);
    }
    long sentAt = instruments.nanos();
    begunAt = sentAt;
    busy = true;
    watch.begin();
    try {
      T answer = work.run();
      confirm(sentAt);
      return answer;
    } catch (SQLException e) {
      // A grant despite the error ends with the session, so that no lock stays held unnoticed.
      end(lossIn(e));
      throw DatabaseException.of(e);
    } finally {
      watch.end();
      busy = false;
    }
  }

  /**
   * Passes on that an answer confirms the session; of several answers in a short time, one is
   * passed on.
   */
  private void confirm(long sentAt) {
    if (sentAt - confirmedAt >= LOOK.toNanos() / 2) {
      confirmedAt = sentAt;
      holder.confirmed(sentAt);
    }
  }

  private static Loss lossIn(SQLException e) {
    return LockFailures.isTimeout(e)
        ? new Loss(Cause.PROBE_TIMED_OUT, "the server did not answer in time")
        : new Loss(Cause.SESSION_TERMINATED, String.valueOf(DatabaseException.of(e).getMessage()));
  }

  private void lookUntilTheEnd() {
    try {
      while (end.get() == null) {
        Pause.sleepRegardless(LOOK); // A listener may have left an interrupt pending.
        look();
      }
    } catch (RuntimeException | Error unwatched) {
      // Without the watch, holders would not learn of the session's end.
      end(new Loss(Cause.SESSION_TERMINATED, "its watch has failed: " + unwatched));
      throw unwatched;
    }
  }

  /** Asks the server whether it is alive, after running operations. */
  private void look() {
    turn.lock();
    try {
      operate(question::execute);
      holder.looked();
    } catch (DatabaseException lost) {
      // The holder has been told.
    } finally {
      turn.unlock();
    }
  }

  /** Called by the watch during an operation that takes long. */
  private void doubtWhatTakesLong() {
    if (busy && instruments.nanos() - begunAt > DOUBT.toNanos()) {
      holder.doubted();
    }
  }

  /** Ends the session, unless it has ended. */
  void end(Loss loss) {
    if (end.compareAndSet(null, loss)) {
      watch.close();
      // The holder is told first, since ending a session over TLS may take as long as a missing
      // answer.
      holder.ended(loss);
      // On a thread of its own, since a close over TLS waits for a frozen server.
      SqlConnections.abort(connection, task -> CLOSING.newThread(task).start());
    }
  }
}
