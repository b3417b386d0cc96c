package dev.recorder.lock.postgres;

import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * An operator's hands on locks: who has which, and taking them away. On a session of its own, which
 * holds no lock. Not thread-safe. Its methods throw {@link LockException}.
 */
public final class LockDesk implements AutoCloseable {
  /** In place of a name, in failures that are not of one lock. */
  private static final String ANY = "(any)";

  private final Sessions sessions;
  private final Connection connection;
  private final LockQueries queries;

  private LockDesk(Sessions sessions, Connection connection) {
    this.sessions = sessions;
    this.connection = connection;
    this.queries = new LockQueries(sessions.schemas());
  }

  /**
   * Opens the session.
   *
   * @throws DatabaseException if that cannot be done
   */
  public static LockDesk open(Sessions sessions) {
    return new LockDesk(sessions, sessions.openForQueries());
  }

  /**
   * Sessions that hold advisory locks or wait for them: all lockids of the control schema, and
   * names that {@link AdvisoryLocks} gave out in this database.
   */
  public List<AdvisoryRow> advisory(int limit) {
    return ask(ANY, c -> queries.advisory(c, limit));
  }

  /** Who holds the lock of this name, first, and who waits for it. */
  public List<AdvisoryRow> advisory(String name) {
    AdvisoryKey key = AdvisoryKey.ofName(sessions.schemas(), name);
    return ask(name, c -> queries.advisory(c, key));
  }

  /** Who holds the lock of this number, first, and who waits for it. */
  public List<AdvisoryRow> advisoryOf(int lockId) {
    AdvisoryKey key = AdvisoryKey.ofLockId(sessions.schemas(), lockId);
    return ask(Integer.toString(lockId), c -> queries.advisory(c, key));
  }

  /**
   * Ends the session of who holds a lock, with all its other locks, if it still holds this one.
   *
   * @return whether it is gone
   */
  public boolean terminate(AdvisoryRow holder) {
    Integer lockId = holder.lockId();
    AdvisoryKey key =
        lockId == null
            ? new AdvisoryKey(false, (int) (holder.key() >> Integer.SIZE), (int) holder.key())
            : AdvisoryKey.ofLockId(sessions.schemas(), lockId);
    return ask(
        lockId == null ? ANY : lockId.toString(), c -> queries.terminate(c, key, holder.pid()));
  }

  /** Mutexes, those that are taken first. */
  public List<MutexRow> mutexes(int limit) {
    return ask(ANY, c -> queries.mutexes(c, limit));
  }

  /** One mutex; empty if nobody ever acquired it. */
  public Optional<MutexRow> mutex(String queue, String id) {
    RowName name = new RowName(queue, id);
    return ask(name.toString(), c -> queries.mutex(c, name)).stream().findFirst();
  }

  /** Releases a mutex that was seen to be taken; false if it has been released, or taken anew. */
  public boolean release(MutexRow seen) {
    return ask(seen.id(), c -> queries.release(c, seen)) > 0;
  }

  /** Locks with a time-out. */
  public List<TimeoutRow> timeouts(int limit) {
    return ask(ANY, c -> queries.timeouts(c, limit));
  }

  /** One lock with a time-out; empty if nobody ever had it. */
  public Optional<TimeoutRow> timeout(String queue, String id) {
    RowName name = new RowName(queue, id);
    return ask(name.toString(), c -> queries.timeout(c, name)).stream().findFirst();
  }

  /** Lets a lock be had at once; false if somebody has had it since it was looked at. */
  public boolean release(TimeoutRow seen) {
    return ask(seen.id(), c -> queries.release(c, seen)) > 0;
  }

  /** Says how often a mutex may still be acquired; whether there is one. */
  public boolean setMutexRetries(String queue, String id, int retries) {
    RowName name = new RowName(queue, id);
    return ask(name.toString(), c -> queries.setMutexRetries(c, name, retries)) > 0;
  }

  /** Says how often a lock with a time-out may still be acquired; whether there is one. */
  public boolean setTimeoutRetries(String queue, String id, int retries) {
    RowName name = new RowName(queue, id);
    return ask(name.toString(), c -> queries.setTimeoutRetries(c, name, retries)) > 0;
  }

  private <T> T ask(String lock, SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw AdvisoryLocks.failure(lock, DatabaseException.of(e), sessions.schemas());
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException gone) {
      // What cannot be closed is gone already.
    }
  }
}
