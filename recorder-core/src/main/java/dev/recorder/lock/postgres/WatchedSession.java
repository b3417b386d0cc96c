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
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A session that holds something, and whether it is still there.
 *
 * <p>Operations run on the callers' threads, one at a time: to hand them to a thread would cost
 * more than the database does. A thread looks every {@link #LOOK} whether the server still answers;
 * an {@link IdleWatch} reads between operations, and has doubts when one takes long. The session
 * ends with the first failure that it does not survive.
 */
final class WatchedSession {
  /** How often the server is asked whether it is there. */
  static final Duration LOOK = Duration.ofMillis(250);

  private static final NamedThreads THREADS = new NamedThreads("lock-look");
  private static final NamedThreads CLOSING = new NamedThreads("lock-close");
  private static final Duration DOUBT = LOOK.multipliedBy(2);

  /** Whose session it is. */
  interface Holder {
    /** The session was there after {@code sentAt}. */
    void confirmed(long sentAt);

    /** It may not be there. */
    void doubted();

    /** It was there, and the caller has the turn. */
    void looked();

    /** It is no longer there. */
    void ended(Loss loss);
  }

  /** Its holder may call {@link #operate}. */
  final ReentrantLock turn = new ReentrantLock(true);

  final Connection connection;
  private final Holder holder;
  private final Instruments instruments;
  private final IdleWatch watch;
  private final PreparedStatement question;
  private final AtomicReference<@Nullable Loss> end = new AtomicReference<>();

  // Guarded by turn; what is volatile may be read without.
  private volatile long begunAt;
  private volatile boolean busy;
  private long confirmedAt;

  /**
   * Opens a session.
   *
   * @param slice how long a statement waits for a lock
   */
  WatchedSession(Sessions sessions, Instruments instruments, Duration slice, Holder holder)
      throws SQLException {
    this.holder = holder;
    this.instruments = instruments;
    this.confirmedAt = instruments.nanos();
    this.watch = new IdleWatch(this::look, this::doubtWhatTakesLong);
    this.connection = sessions.openLocks(slice, watch);
    this.question = Sql.of("").on(connection).complete();
  }

  /** Watches it from now on. */
  void start() {
    watch.start();
    THREADS.newThread(this::lookUntilTheEnd).start();
  }

  /** How it ended; null while it has not. */
  @Nullable Loss end() {
    return end.get();
  }

  /** By the holder of the turn. */
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
      // Whatever was granted in spite of it ends with the session: no lock is held unknown.
      end(lossIn(e));
      throw DatabaseException.of(e);
    } finally {
      watch.end();
      busy = false;
    }
  }

  /** Any answer is a sign of life; of those that follow each other closely one is enough. */
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
        Pause.sleepRegardless(LOOK); // A listener may have left an interrupt.
        look();
      }
    } catch (RuntimeException | Error unwatched) {
      // Nobody would notice the end of the session, nor tell the holders.
      end(new Loss(Cause.SESSION_TERMINATED, "its watch has failed: " + unwatched));
      throw unwatched;
    }
  }

  /** Asks the server whether it is there, behind whatever is under way. */
  private void look() {
    turn.lock();
    try {
      operate(question::execute);
      holder.looked();
    } catch (DatabaseException lost) {
      // The holder was told.
    } finally {
      turn.unlock();
    }
  }

  /** By the watch, while an operation is under way. */
  private void doubtWhatTakesLong() {
    if (busy && instruments.nanos() - begunAt > DOUBT.toNanos()) {
      holder.doubted();
    }
  }

  /** Ends it, unless it has ended. */
  void end(Loss loss) {
    if (end.compareAndSet(null, loss)) {
      watch.close();
      // Told first: to end a session over TLS may take as long as an answer that does not come.
      holder.ended(loss);
      // On a thread of its own: over TLS it waits for a server that is frozen.
      SqlConnections.abort(connection, task -> CLOSING.newThread(task).start());
    }
  }
}
