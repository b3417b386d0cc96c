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
 * Advisory locks on one session, which is opened on first use and reopened after a loss. A server
 * with default settings has memory for some 10,000 locks.
 *
 * <ul>
 *   <li>A lock is free as soon as its session ends: at once when the process dies; within {@code
 *       idleLimit} of its last statement when the process is stopped or cut off.
 *   <li>The loss of a lease is signalled milliseconds after the session was terminated. If the
 *       server is frozen or cut off, the loss is signalled by a check that runs every {@link
 *       MonitoredSession#LOOK} and is limited by the network time-out.
 *   <li>A waiter waits in the server's queue, in steps of {@link AdvisorySession#SLICE}, if no
 *       other thread wants the session. Another thread waits for at most one step.
 *   <li>The first request for the token draws it from the sequence {@code lock_token}, on the
 *       session that holds the lock. So the next holder's token is greater. A token can repeat only
 *       if PostgreSQL loses commits, that is, after a failover to a standby that lagged behind.
 *       Locks without tokens need no table and no sequence.
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

  /** Creates locks on one connection of this source, which is kept; see {@link Sessions#of}. */
  public static AdvisoryLocks on(DataSource source) {
    return new AdvisoryLocks(Sessions.of(source, "locks"), Instruments.PLAIN);
  }

  public AdvisoryLocks(Sessions sessions, Instruments instruments) {
    this(sessions, instruments, AdvisorySession.SLICE);
  }

  /** Creates locks with another {@link AdvisorySession#SLICE}. */
  AdvisoryLocks(Sessions sessions, Instruments instruments, Duration slice) {
    this.sessions = sessions;
    this.instruments = instruments;
    this.slice = slice;
  }

  /** Returns the lock of a name; any text is a name. */
  public DistributedLock lock(String name) {
    return lock(name, AdvisoryKey.ofName(sessions.schemas(), name));
  }

  /**
   * Returns the lock of a number in the namespace of the recorders' lockids; a holder keeps the
   * recorder with that lockid from becoming active.
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
        // Grants on the lost session have ended with it, so the request can be repeated.
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

  /**
   * Returns an open session. A failure while the caller waited is reported and not retried;
   * otherwise each caller would wait for all callers before it.
   */
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
      // An interrupt concerns only this thread.
      notOpened = Thread.currentThread().isInterrupted() ? null : e;
      throw e;
    }
  }

  /** Ends the session; open leases are lost. */
  @Override
  public void close() {
    closed = true;
    AdvisorySession current = session;
    if (current != null) {
      current.close();
    }
  }
}
