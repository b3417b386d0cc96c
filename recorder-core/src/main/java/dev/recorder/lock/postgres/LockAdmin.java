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
 * For operators: shows who has which lock, and takes locks away. On a session that holds no lock,
 * its own or an {@code Inspection}'s. Not thread-safe. Its methods throw {@link LockException}.
 */
public final class LockAdmin implements AutoCloseable {
  /** In place of a name, in failures that are not of one lock. */
  private static final String ANY = "(any)";

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

  private final SchemaNames schemas;
  private final Connection connection;

  private LockAdmin(SchemaNames schemas, Connection connection) {
    this.schemas = schemas;
    this.connection = connection;
  }

  /**
   * Opens the session, of which no answer takes longer than half a minute.
   *
   * @throws DatabaseException if that cannot be done
   */
  public static LockAdmin open(Sessions sessions) {
    return on(sessions.openForAnswers(Duration.ZERO, ANSWER_WITHIN), sessions.schemas());
  }

  /** On somebody's session, which ends with this if it is closed. */
  public static LockAdmin on(Connection connection, SchemaNames schemas) {
    return new LockAdmin(schemas, connection);
  }

  /**
   * Sessions that hold advisory locks or wait for them: all lockids of the control schema, and
   * names that {@link AdvisoryLocks} gave out in this database.
   */
  public List<AdvisoryRow> advisory(int limit) {
    return all(ANY, LockQueries.advisory(schemas, limit), this::advisoryRow);
  }

  /** Who holds the lock of this name, first, and who waits for it. */
  public List<AdvisoryRow> advisory(String name) {
    AdvisoryKey key = AdvisoryKey.ofName(schemas, name);
    return all(name, LockQueries.advisory(key), row -> advisoryRow(row).named(name));
  }

  /** Who holds the lock of this number, first, and who waits for it. */
  public List<AdvisoryRow> advisoryOf(int lockId) {
    AdvisoryKey key = AdvisoryKey.ofLockId(schemas, lockId);
    return all(Integer.toString(lockId), LockQueries.advisory(key), this::advisoryRow);
  }

  private AdvisoryRow advisoryRow(ResultSet row) throws SQLException {
    return AdvisoryRow.of(row, schemas);
  }

  /**
   * Ends the session of a lock's holder, with all its other locks, if it still holds this one.
   *
   * @return whether it is gone
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

  /** Mutexes, those that are taken first. */
  public List<MutexRow> mutexes(int limit) {
    return all(ANY, LockQueries.mutexes(limit), MutexRow::of);
  }

  /** One mutex; empty if nobody ever acquired it. */
  public Optional<MutexRow> mutex(String queue, String id) {
    RowName name = new RowName(queue, id);
    return all(name.toString(), LockQueries.mutex(name), MutexRow::of).stream().findFirst();
  }

  /** Releases a mutex that was seen to be taken; false if it has been released, or taken again. */
  public boolean release(MutexRow seen) {
    return change(seen.id(), LockQueries.release(seen));
  }

  /** Locks with a time-out. */
  public List<TimeoutRow> timeouts(int limit) {
    return all(ANY, LockQueries.timeouts(limit), TimeoutRow::of);
  }

  /** One lock with a time-out; empty if nobody ever had it. */
  public Optional<TimeoutRow> timeout(String queue, String id) {
    RowName name = new RowName(queue, id);
    return all(name.toString(), LockQueries.timeout(name), TimeoutRow::of).stream().findFirst();
  }

  /** Lets a lock be taken at once; false if somebody has had it since it was looked at. */
  public boolean release(TimeoutRow seen) {
    return change(seen.id(), LockQueries.release(seen));
  }

  /** Says how often a mutex may still be acquired; whether there is one. */
  public boolean setMutexRetries(String queue, String id, int retries) {
    return setRetries("lock_mutex", new RowName(queue, id), retries);
  }

  /** Says how often a lock with a time-out may still be acquired; whether there is one. */
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
