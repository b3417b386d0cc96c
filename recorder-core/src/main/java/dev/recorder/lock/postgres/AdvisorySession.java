package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.TrackedLease;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.postgres.IdleWatch;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.Sql;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Pause;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One session and the advisory locks on it.
 *
 * <p>Operations run on the callers' threads, one at a time: to hand them to a thread would cost
 * more than the database does. A thread looks every {@link #LOOK} whether the server still answers;
 * an {@link IdleWatch} reads between operations, and doubts the leases when one takes long. The
 * session ends with the first failure that it does not survive; what it held is lost then.
 *
 * <p>PostgreSQL stacks a lock that its session asks for twice, so a key that is held or asked for
 * here is waited for here.
 */
final class AdvisorySession implements AutoCloseable {
  /** How often the server is asked whether it is there. */
  static final Duration LOOK = Duration.ofMillis(250);

  /** How long a statement waits for a lock, and so keeps others from the session. */
  static final Duration SLICE = Duration.ofMillis(100);

  /** Between two slices: time for others to come in between. */
  static final Duration PAUSE = Duration.ofMillis(1);

  private static final NamedThreads THREADS = new NamedThreads("lock-look");
  private static final NamedThreads CLOSING = new NamedThreads("lock-close");
  private static final Duration DOUBT = LOOK.multipliedBy(2);

  private final SchemaNames schemas;
  private final Instruments instruments;
  private final Duration slice;
  private final Duration validity;
  private final IdleWatch watch;
  private final Connection connection;
  private final PreparedStatement question;
  private final AdvisoryStatements names;
  private final AdvisoryStatements lockIds;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final Condition released = turn.newCondition();
  private final Map<AdvisoryKey, TrackedLease> held = new ConcurrentHashMap<>();
  private volatile @Nullable Loss end;
  private volatile long begunAt;
  private volatile boolean busy;
  private long confirmedAt;

  private AdvisorySession(Sessions sessions, Instruments instruments, Duration slice)
      throws SQLException {
    this.schemas = sessions.schemas();
    this.instruments = instruments;
    this.slice = slice;
    this.validity = sessions.idleLimit();
    this.confirmedAt = instruments.nanos();
    this.watch = new IdleWatch(this::look, this::doubtWhatTakesLong);
    this.connection = sessions.openLocks(slice, watch);
    this.names = new AdvisoryStatements(connection, schemas, false);
    this.question = Sql.of("").on(connection).complete();
    this.lockIds = new AdvisoryStatements(connection, schemas, true);
  }

  /**
   * Opens a session.
   *
   * @param slice how long a statement waits for a lock: {@link #SLICE}
   */
  static AdvisorySession open(Sessions sessions, Instruments instruments, Duration slice) {
    try {
      AdvisorySession session = new AdvisorySession(sessions, instruments, slice);
      session.watch.start();
      THREADS.newThread(session::lookUntilTheEnd).start();
      return session;
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  boolean hasEnded() {
    return end != null;
  }

  /** Whether the server, or what is in between, ended it; not for want of an answer. */
  boolean wasTerminated() {
    Loss loss = end;
    return loss != null && loss.cause() == Cause.SESSION_TERMINATED;
  }

  /**
   * Takes a lock, waiting for it up to {@code limit} but no longer than a slice. A wait that is too
   * short for one in the server ends with another look: asking all the while would be a round trip
   * each millisecond.
   *
   * @throws DatabaseException if that failed; it is not held then, or the session has ended
   */
  Optional<TrackedLease> tryAcquire(String name, AdvisoryKey key, Duration limit)
      throws InterruptedException {
    turn.lockInterruptibly();
    try {
      if (held.containsKey(key)) {
        awaitRelease(limit.compareTo(slice) < 0 ? limit : slice);
        return Optional.empty();
      }
      // Whoever else wants the session goes first; of many that wait, one waits in the server.
      boolean mayWait = limit.compareTo(slice) >= 0;
      boolean waits = mayWait && !turn.hasQueuedThreads();
      Optional<TrackedLease> lease = take(name, key, waits);
      if (lease.isPresent() || waits) {
        return lease;
      }
      Duration step = slice.dividedBy(2);
      boolean isLast = limit.compareTo(step) <= 0;
      awaitRelease(isLast ? limit : step);
      return isLast && !limit.isZero() && !held.containsKey(key) ? take(name, key, false) : lease;
    } finally {
      turn.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // whoever called asks again
  private void awaitRelease(Duration limit) throws InterruptedException {
    released.awaitNanos(limit.toNanos());
  }

  private Optional<TrackedLease> take(String name, AdvisoryKey key, boolean mayWait) {
    long sentAt = instruments.nanos();
    AdvisoryStatements sql = of(key);
    if (!attempt(() -> sql.isTaken(key, mayWait), () -> sql.letGo(key))) {
      return Optional.empty();
    }
    LeaseLife life = LeaseLife.granted(sentAt, validity, Cause.LEASE_EXPIRED);
    TrackedLease lease =
        new TrackedLease(
            name,
            which -> draw(key, which),
            life,
            (which, completed) -> release(key, which),
            instruments);
    held.put(key, lease);
    Loss already = end;
    if (already != null) {
      lease.end(already);
    }
    return Optional.of(lease);
  }

  /** While the session holds the lock: whoever has it next draws later, and so a greater one. */
  private long draw(AdvisoryKey key, TrackedLease lease) {
    turn.lock();
    try {
      return lease.tokenOr(() -> drawn(key, lease));
    } catch (DatabaseException e) {
      Loss already = end;
      if (already != null) {
        throw new LeaseLostException(lease.name(), already.toString());
      }
      throw LockFailures.of(lease.name(), e, schemas);
    } finally {
      turn.unlock();
    }
  }

  private long drawn(AdvisoryKey key, TrackedLease lease) {
    if (held.get(key) != lease || lease.state() == LeaseState.LOST) {
      throw new LeaseLostException(lease.name(), "it is over, and had drawn no token before");
    }
    return attempt(() -> of(key).draw(), () -> {});
  }

  private record Attempt<T>(@Nullable T answer, @Nullable DatabaseException failure) {}

  /**
   * A statement that fails behind the grant leaves the lock with the session. A failure that the
   * session survives, such as that of a server without memory for one more lock, must not cost the
   * other locks.
   *
   * @param undo run if that was so
   */
  private <T> T attempt(SqlWork<T> work, SqlUndo undo) {
    Attempt<T> attempt = operate(() -> attempted(work, undo));
    if (attempt.failure() != null) {
      throw attempt.failure();
    }
    return Objects.requireNonNull(attempt.answer());
  }

  private static <T> Attempt<T> attempted(SqlWork<T> work, SqlUndo undo) throws SQLException {
    try {
      return new Attempt<>(work.run(), null);
    } catch (SQLException e) {
      DatabaseException failure = DatabaseException.of(e);
      if (!failure.sessionSurvives()) {
        throw e;
      }
      undo.run();
      return new Attempt<>(null, failure);
    }
  }

  private AdvisoryStatements of(AdvisoryKey key) {
    return key.isPair() ? lockIds : names;
  }

  private @Nullable Loss release(AdvisoryKey key, TrackedLease lease) {
    turn.lock();
    try {
      Loss already = end;
      if (already != null) {
        return already;
      }
      held.remove(key, lease);
      boolean wasHeld = operate(() -> of(key).unlock(key));
      released.signalAll();
      return wasHeld ? null : new Loss(Cause.REVOKED, "the session did not hold it any more");
    } catch (DatabaseException e) {
      throw LockFailures.of(lease.name(), e, schemas);
    } finally {
      turn.unlock();
    }
  }

  /** Work that may fail as the driver does. */
  @FunctionalInterface
  private interface SqlWork<T> {
    T run() throws SQLException;
  }

  /** Puts right what a failure left. */
  @FunctionalInterface
  private interface SqlUndo {
    void run() throws SQLException;
  }

  /** By whoever has the turn. */
  private <T> T operate(SqlWork<T> work) {
    Loss already = end;
    if (already != null) {
      throw new DatabaseException(Kind.UNREACHABLE, "the session has ended; " + already);
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
      held.values().forEach(lease -> lease.confirm(sentAt, validity));
    }
  }

  private static Loss lossIn(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return new Loss(Cause.PROBE_TIMED_OUT, "the server did not answer in time");
      }
    }
    return new Loss(Cause.SESSION_TERMINATED, String.valueOf(DatabaseException.of(e).getMessage()));
  }

  private void lookUntilTheEnd() {
    try {
      while (end == null) {
        Pause.sleep(LOOK);
        look();
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error unwatched) {
      // Nobody would notice the end of the session any more, nor tell the holders.
      end(new Loss(Cause.SESSION_TERMINATED, "its watch has failed: " + unwatched));
      throw unwatched;
    }
  }

  /** Asks the server whether it is there, behind whatever is under way. */
  private void look() {
    turn.lock();
    try {
      operate(question::execute);
      letGoOfWhatRanOut();
    } catch (DatabaseException lost) {
      // The leases say so.
    } finally {
      turn.unlock();
    }
  }

  /** After a pause of this process a lease may have run out although the session is still there. */
  private void letGoOfWhatRanOut() {
    held.forEach(
        (key, lease) -> {
          if (lease.state() == LeaseState.LOST) {
            held.remove(key);
            operate(() -> of(key).unlock(key));
          }
        });
  }

  /** By the watch, while an operation is under way. */
  private void doubtWhatTakesLong() {
    if (busy && instruments.nanos() - begunAt > DOUBT.toNanos()) {
      held.values().forEach(TrackedLease::doubt);
    }
  }

  private void end(Loss loss) {
    synchronized (held) {
      if (end != null) {
        return;
      }
      end = loss;
    }
    watch.close();
    List<TrackedLease> lost = new ArrayList<>(held.values());
    held.clear();
    // Told first: to end a session over TLS may take as long as an answer that does not come.
    lost.forEach(lease -> lease.end(loss));
    abort();
  }

  /** On a thread of its own: over TLS it waits for a server that is frozen. */
  private void abort() {
    try {
      connection.abort(task -> CLOSING.newThread(task).start());
    } catch (SQLException gone) {
      // What cannot be aborted is gone already.
    }
  }

  @Override
  public void close() {
    end(new Loss(Cause.SESSION_TERMINATED, "its holder closed the session"));
  }
}
