package dev.recorder.lock.postgres;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.lock.TrackedLease;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
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
 *       every {@link AdvisorySession#LOOK} and has the network's time-out to be answered.
 *   <li>Waiters wait in the server, in its order, for {@link AdvisorySession#SLICE} at a time; that
 *       is also how long another thread may wait for the session.
 *   <li>The token is a number of the sequence {@code lock_token}. It can repeat only where
 *       PostgreSQL itself forgets what was committed: after failing over to a standby that lagged
 *       behind.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time.
 */
public final class AdvisoryLocks implements AutoCloseable {
  private final Sessions sessions;
  private final Instruments instruments;
  private @Nullable AdvisorySession session;
  private boolean closed;

  public AdvisoryLocks(Sessions sessions, Instruments instruments) {
    this.sessions = sessions;
    this.instruments = instruments;
  }

  /** The lock of a name, which may be any text. */
  public DistributedLock lock(String name) {
    return lock(name, AdvisoryKey.ofName(sessions.schemas(), name));
  }

  /**
   * The lock of a number, in the namespace in which recorders have their lockids, 1 to 999: to take
   * one of those keeps the recorder from being active.
   */
  public DistributedLock lock(int lockId) {
    return lock(Integer.toString(lockId), AdvisoryKey.ofLockId(sessions.schemas(), lockId));
  }

  private DistributedLock lock(String name, AdvisoryKey key) {
    return new ContendedLock(
        name, limit -> attempt(name, key, limit), AdvisorySession.PAUSE, instruments);
  }

  private Optional<TrackedLease> attempt(String name, AdvisoryKey key, Duration limit)
      throws InterruptedException {
    try {
      return session(name).tryAcquire(name, key, limit);
    } catch (DatabaseException e) {
      throw failure(name, e, sessions.schemas());
    }
  }

  private synchronized AdvisorySession session(String name) {
    if (closed) {
      throw new LockException(name, Kind.UNUSABLE, "the locks of this session are closed");
    }
    AdvisorySession current = session;
    if (current == null || current.hasEnded()) {
      current = AdvisorySession.open(sessions, instruments);
      session = current;
    }
    return current;
  }

  /** The same with a remedy where the tables or the sequence of locks are missing. */
  static LockException failure(String name, DatabaseException e, SchemaNames schemas) {
    String state = e.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
    if (!RowSession.NO_SUCH_TABLE.equals(state) && !RowSession.NO_SUCH_SCHEMA.equals(state)) {
      return failure(name, e);
    }
    return new LockException(
        name,
        Kind.UNUSABLE,
        "the tables of locks are missing in schema "
            + schemas.control()
            + ": start a recorder whose role may create them, or let an administrator run the"
            + " output of 'recorder schema'",
        e);
  }

  static LockException failure(String name, DatabaseException e) {
    Kind kind =
        switch (e.kind()) {
          case UNREACHABLE, BUSY -> Kind.UNREACHABLE;
          case RIGHTS -> Kind.RIGHTS;
          case UNUSABLE -> Kind.UNUSABLE;
          case FAILED -> Kind.FAILED;
        };
    return new LockException(name, kind, String.valueOf(e.getMessage()), e);
  }

  /** Ends the session; leases that are still open are lost. */
  @Override
  public synchronized void close() {
    closed = true;
    if (session != null) {
      session.close();
    }
  }
}
