package dev.recorder.lock.postgres;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.lock.TrackedLease;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Any number of advisory locks on one session, which is opened when first needed, and again after
 * it was lost. Some 10,000 locks are within a server's usual memory for locks.
 *
 * <ul>
 *   <li>A lock is free as soon as its session ends: at once when the process dies; within {@code
 *       idleLimit} of its last word when it is stopped or cut off.
 *   <li>A lease that is lost says so milliseconds after the session was terminated, whether
 *       somebody asks or not; and, when the server is frozen or cut off, after a look that comes
 *       every {@link WatchedSession#LOOK} and has the network's time-out to be answered.
 *   <li>A waiter waits in the server, in its order, for {@link AdvisorySession#SLICE} at a time, if
 *       nobody else wants the session; that is also how long another thread may wait for it.
 *   <li>The token is a number of the sequence {@code lock_token}, drawn on the session that holds
 *       the lock when it is first asked for: the next holder's is greater. It can repeat only where
 *       PostgreSQL itself forgets what was committed: after failing over to a standby that lagged
 *       behind. Locks alone need no table and no sequence.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time.
 */
public final class AdvisoryLocks implements AutoCloseable {
  private static final int MAKING_TABLES = 999;

  private final Sessions sessions;
  private final Instruments instruments;
  private final Duration slice;
  private final ReentrantLock opening = new ReentrantLock(true);
  private volatile boolean closed;

  // Guarded by opening; may be read without.
  private volatile @Nullable AdvisorySession session;
  private volatile @Nullable DatabaseException notOpened;

  /** Locks on a connection of this source, which is kept; see {@link Sessions#of}. */
  public static AdvisoryLocks on(DataSource source) {
    return new AdvisoryLocks(Sessions.of(source, "locks"), Instruments.PLAIN);
  }

  public AdvisoryLocks(Sessions sessions, Instruments instruments) {
    this(sessions, instruments, AdvisorySession.SLICE);
  }

  /** With other slices of waiting. */
  AdvisoryLocks(Sessions sessions, Instruments instruments, Duration slice) {
    this.sessions = sessions;
    this.instruments = instruments;
    this.slice = slice;
  }

  /** The lock of a name, which may be any text. */
  public DistributedLock lock(String name) {
    return lock(name, AdvisoryKey.ofName(sessions.schemas(), name));
  }

  /**
   * The lock of a number, in the namespace in which recorders have their lockids: to take one of
   * those keeps the recorder from being active.
   *
   * @param lockId any but 999, which is reserved for creating tables
   */
  public DistributedLock lock(int lockId) {
    if (lockId == MAKING_TABLES) {
      throw new IllegalArgumentException("lockid 999 is reserved for creating tables");
    }
    return lock(Integer.toString(lockId), AdvisoryKey.ofLockId(sessions.schemas(), lockId));
  }

  private DistributedLock lock(String name, AdvisoryKey key) {
    return new ContendedLock(
        name, limit -> attempt(name, key, limit), AdvisorySession.PAUSE, instruments);
  }

  private Optional<TrackedLease> attempt(String name, AdvisoryKey key, Duration limit)
      throws InterruptedException {
    AdvisorySession known = session;
    try {
      AdvisorySession current = session(name);
      try {
        return current.tryAcquire(name, key, limit);
      } catch (DatabaseException e) {
        if (current != known || !current.wasTerminated()) {
          throw e;
        }
        // Whatever it had granted has ended with it, so that to ask again does nothing twice.
        return session(name).tryAcquire(name, key, limit);
      }
    } catch (DatabaseException e) {
      throw LockFailures.of(name, e, sessions.schemas());
    }
  }

  private AdvisorySession session(String name) throws InterruptedException {
    AdvisorySession current = session;
    if (current != null && !current.hasEnded() && !closed) {
      return current;
    }
    DatabaseException before = notOpened;
    if (!opening.tryLock(RowSession.TURN.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new LockException(
          name,
          Kind.UNREACHABLE,
          "another thread has waited for the session for " + RowSession.TURN.toSeconds() + " s");
    }
    try {
      return opened(name, before);
    } finally {
      opening.unlock();
    }
  }

  /** What failed while the caller waited is not tried again: each would wait for all before it. */
  private AdvisorySession opened(String name, @Nullable DatabaseException before) {
    if (closed) {
      throw new LockException(name, Kind.UNUSABLE, "the locks of this session are closed");
    }
    AdvisorySession current = session;
    if (current == null || current.hasEnded()) {
      DatabaseException meanwhile = notOpened;
      if (meanwhile != null && meanwhile != before) {
        throw meanwhile;
      }
      current = open();
      session = current;
      if (closed) {
        current.close();
      }
    }
    return current;
  }

  private AdvisorySession open() {
    notOpened = null;
    try {
      return AdvisorySession.open(sessions, instruments, slice);
    } catch (DatabaseException e) {
      // An interrupt is meant for this thread alone.
      notOpened = Thread.currentThread().isInterrupted() ? null : e;
      throw e;
    }
  }

  /** Ends the session; leases that are still open are lost. */
  @Override
  public void close() {
    closed = true;
    AdvisorySession current = session;
    if (current != null) {
      current.close();
    }
  }
}
