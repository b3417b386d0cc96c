package dev.recorder.lock.postgres;

import dev.recorder.lock.LockException;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * For operators: lists locks and their holders, and revokes locks. Uses a session that holds no
 * lock, its own or an {@code Inspection}'s. Not thread-safe. Its methods throw {@link
 * LockException}.
 */
public final class LockAdmin implements AutoCloseable {
  /** The name in failures that do not concern one lock. */
  private static final String ANY = "(any)";

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

  private final SchemaNames schemas;
  private final Connection connection;

  private LockAdmin(SchemaNames schemas, Connection connection) {
    this.schemas = schemas;
    this.connection = connection;
  }

  /**
   * Opens the session, which waits at most half a minute for an answer.
   *
   * @throws DatabaseException if the session cannot be opened
   */
  public static LockAdmin open(Sessions sessions) {
    return on(sessions.openForAnswers(Duration.ZERO, ANSWER_WITHIN), sessions.schemas());
  }

  /** Uses a given session and takes it over: {@link #close} ends it. */
  public static LockAdmin on(Connection connection, SchemaNames schemas) {
    return new LockAdmin(schemas, connection);
  }

  /**
   * Returns sessions that hold or await advisory locks: all lockids of the control schema, and
   * names used by {@link AdvisoryLocks} in this database.
   */
  public List<AdvisoryRow> advisory(int limit) {
    return all(ANY, LockQueries.advisory(schemas, limit), this::advisoryRow);
  }

  /** Returns the holders, then the waiters, of the lock with this name. */
  public List<AdvisoryRow> advisory(String name) {
    AdvisoryKey key = AdvisoryKey.ofName(schemas, name);
    return all(name, LockQueries.advisory(key), row -> advisoryRow(row).named(name));
  }

  /** Returns the holders, then the waiters, of the lock with this number. */
  public List<AdvisoryRow> advisoryOf(int lockId) {
    AdvisoryKey key = AdvisoryKey.ofLockId(schemas, lockId);
    return all(Integer.toString(lockId), LockQueries.advisory(key), this::advisoryRow);
  }

  private AdvisoryRow advisoryRow(ResultSet row) throws SQLException {
    return AdvisoryRow.of(row, schemas);
  }

  /**
   * Ends the session of a lock's holder, with all its locks, if the session still holds this lock.
   *
   * @return whether the session has ended
   */
  public boolean terminate(AdvisoryRow holder) {
    Integer lockId = holder.lockId();
    AdvisoryKey key =
        lockId == null
            ? new AdvisoryKey(false, (int) (holder.key() >> Integer.SIZE), (int) holder.key())
            : AdvisoryKey.ofLockId(schemas, lockId);
    return all(
            lockId == null ? ANY : lockId.toString(),
            LockQueries.terminate(key, holder.pid()),
            row -> row.getBoolean(1))
        .contains(true);
  }

  /** Returns all mutexes, taken ones first. */
  public List<MutexRow> mutexes(int limit) {
    return all(ANY, LockQueries.mutexes(limit), MutexRow::of);
  }

  /** Returns one mutex; empty if it was never acquired. */
  public Optional<MutexRow> mutex(String queue, String id) {
    RowName name = new RowName(queue, id);
    return all(name.toString(), LockQueries.mutex(name), MutexRow::of).stream().findFirst();
  }

  /**
   * Releases a mutex that was seen taken; returns false if it was released or taken again since.
   */
  public boolean release(MutexRow seen) {
    return change(seen.id(), LockQueries.release(seen));
  }

  public List<TimeoutRow> timeouts(int limit) {
    return all(ANY, LockQueries.timeouts(limit), TimeoutRow::of);
  }

  /** Returns one time-out lock; empty if it was never taken. */
  public Optional<TimeoutRow> timeout(String queue, String id) {
    RowName name = new RowName(queue, id);
    return all(name.toString(), LockQueries.timeout(name), TimeoutRow::of).stream().findFirst();
  }

  /** Makes a lock due at once; returns false if it was taken since it was read. */
  public boolean release(TimeoutRow seen) {
    return change(seen.id(), LockQueries.release(seen));
  }

  /** Sets how often a mutex may still be acquired; returns false if the mutex does not exist. */
  public boolean setMutexRetries(String queue, String id, int retries) {
    return setRetries("lock_mutex", new RowName(queue, id), retries);
  }

  /**
   * Sets how often a time-out lock may still be acquired; returns false if the lock does not exist.
   */
  public boolean setTimeoutRetries(String queue, String id, int retries) {
    return setRetries("lock_timeout", new RowName(queue, id), retries);
  }

  private boolean setRetries(String table, RowName name, int retries) {
    return change(name.toString(), LockQueries.setRetries(table, name, retries));
  }

  private boolean change(String lock, Command command) {
    return ask(lock, command, SqlStatement::update) > 0;
  }

  private <T> List<T> all(String lock, Command query, SqlFunction<ResultSet, T> reader) {
    return ask(lock, query, statement -> statement.all(reader));
  }

  private <T> T ask(String lock, Command command, SqlFunction<SqlStatement, T> reading) {
    try (SqlStatement statement = command.in(schemas).on(connection)) {
      command.values().apply(statement);
      return reading.apply(statement);
    } catch (SQLException e) {
      throw LockFailures.of(lock, DatabaseException.of(e), schemas);
    }
  }

  @Override
  public void close() {
    SqlConnections.close(connection);
  }
}
