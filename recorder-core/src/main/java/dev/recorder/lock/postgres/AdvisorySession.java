package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.TrackedLease;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlCall;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One session and its advisory locks, which are lost when it ends.
 *
 * <p>PostgreSQL grants a lock again to the session that holds it. Therefore waits for a key that
 * this session holds or requests happen here.
 */
final class AdvisorySession implements AutoCloseable, MonitoredSession.Holder {
  /** How long a statement waits for a lock and occupies the session. */
  static final Duration SLICE = Duration.ofMillis(100);

  /** The pause between two slices, in which other threads may use the session. */
  static final Duration PAUSE = Duration.ofMillis(1);

  private final SchemaNames schemas;
  private final Instruments instruments;
  private final Duration slice;
  private final Duration validity;
  private final MonitoredSession session;
  private final AdvisoryStatements names;
  private final AdvisoryStatements lockIds;
  private final ReentrantLock turn;
  private final Condition released;

  // Guarded by turn when it grows; thread-safe.
  private final Map<AdvisoryKey, TrackedLease> held = new ConcurrentHashMap<>();

  private AdvisorySession(Sessions sessions, Instruments instruments, Duration slice)
      throws SQLException {
    this.schemas = sessions.schemas();
    this.instruments = instruments;
    this.slice = slice;
    this.validity = sessions.idleLimit();
    this.session = new MonitoredSession(sessions, instruments, slice, this);
    this.turn = session.turn;
    this.released = turn.newCondition();
    this.names = new AdvisoryStatements(session.connection, schemas, false);
    this.lockIds = new AdvisoryStatements(session.connection, schemas, true);
  }

  /**
   * Opens a session.
   *
   * @param slice how long a statement waits for a lock: {@link #SLICE}
   */
  static AdvisorySession open(Sessions sessions, Instruments instruments, Duration slice) {
    try {
      AdvisorySession locks = new AdvisorySession(sessions, instruments, slice);
      locks.session.start();
      return locks;
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  boolean hasEnded() {
    return session.end() != null;
  }

  /** Whether the server or the network ended the session, rather than a missing answer. */
  boolean wasTerminated() {
    Loss loss = session.end();
    return loss != null && loss.cause() == Cause.SESSION_TERMINATED;
  }

  /**
   * Takes a lock, waiting up to {@code limit} and at most one slice. If the limit is too short for
   * a wait in the server, another attempt at the end replaces the wait, since polling would cost a
   * round trip each millisecond.
   *
   * @throws DatabaseException on failure; the lock is then not held, or the session has ended
   */
  Optional<TrackedLease> tryAcquire(String name, AdvisoryKey key, Duration limit)
      throws InterruptedException {
    turn.lockInterruptibly();
    try {
      if (held.containsKey(key)) {
        awaitRelease(limit.compareTo(slice) < 0 ? limit : slice);
        return Optional.empty();
      }
      // Other threads that want the session go first, and only one of several waiters waits in the
      // server.
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

  @SuppressWarnings("WaitNotInLoop") // the caller repeats the request
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
    Loss already = session.end();
    if (already != null) {
      lease.end(already);
    }
    return Optional.of(lease);
  }

  /**
   * Draws the token while the session holds the lock, so that the next holder draws a greater one.
   */
  private long draw(AdvisoryKey key, TrackedLease lease) {
    turn.lock();
    try {
      return lease.tokenOr(() -> drawn(key, lease));
    } catch (DatabaseException e) {
      Loss already = session.end();
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
    return attempt(() -> of(key).draw(key, lease.name()), () -> false);
  }

  /**
   * Runs {@code work}. A statement that fails after the grant leaves the lock with the session. A
   * failure that the session survives, such as a server without memory for another lock, must not
   * end the other locks.
   *
   * @param undo run after such a failure
   */
  private <T> T attempt(SqlCall<T> work, SqlCall<Boolean> undo) {
    return session.<Supplier<T>>operate(() -> attempted(work, undo)).get();
  }

  private static <T> Supplier<T> attempted(SqlCall<T> work, SqlCall<Boolean> undo)
      throws SQLException {
    try {
      T answer = work.run();
      return () -> answer;
    } catch (SQLException e) {
      DatabaseException failure = DatabaseException.of(e);
      if (!failure.sessionSurvives()) {
        throw e;
      }
      undo.run();
      return () -> {
        throw failure;
      };
    }
  }

  private AdvisoryStatements of(AdvisoryKey key) {
    return key.isPair() ? lockIds : names;
  }

  private @Nullable Loss release(AdvisoryKey key, TrackedLease lease) {
    turn.lock();
    try {
      Loss already = session.end();
      if (already != null) {
        return already;
      }
      held.remove(key, lease);
      boolean wasHeld = session.operate(() -> of(key).unlock(key));
      released.signalAll();
      return wasHeld ? null : new Loss(Cause.REVOKED, "the session no longer held it");
    } catch (DatabaseException e) {
      throw LockFailures.of(lease.name(), e, schemas);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void confirmed(long sentAt) {
    held.values().forEach(lease -> lease.confirm(sentAt, validity));
  }

  @Override
  public void doubted() {
    held.values().forEach(TrackedLease::doubt);
  }

  /** A lease may have run out during a pause of this process while the session is still open. */
  @Override
  public void looked() {
    held.forEach(
        (key, lease) -> {
          if (lease.state() == LeaseState.LOST) {
            held.remove(key);
            session.operate(() -> of(key).unlock(key));
          }
        });
  }

  @Override
  public void ended(Loss loss) {
    List<TrackedLease> lost = new ArrayList<>(held.values());
    held.clear();
    lost.forEach(lease -> lease.end(loss));
  }

  @Override
  public void close() {
    session.end(new Loss(Cause.SESSION_TERMINATED, "its holder closed the session"));
  }
}
