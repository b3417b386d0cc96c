package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.holders.AdvisoryLockKey;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.postgres.holders.LockHolders;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A session-level {@code pg_advisory_lock} on a recorder's lockid, held until the guard is closed
 * or the control session ends. PostgreSQL frees the lock when the connection or the instance dies.
 *
 * <p>A lock never outlives its guard: if taking or releasing it fails with unknown outcome, the
 * session is ended with all its locks.
 *
 * <p>Not re-entrant: PostgreSQL would stack the lock, so a second guard on the same lockid and
 * session is not granted. Thread-safe.
 */
public final class LockGuard implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);

  private enum GuardState {
    HELD,
    LOST,
    RELEASED
  }

  private final RdsManager manager;
  private final int lockId;
  private final AtomicReference<GuardState> state = new AtomicReference<>(GuardState.HELD);
  private final CompletableFuture<String> loss = new CompletableFuture<>();

  private LockGuard(RdsManager manager, int lockId) {
    this.manager = manager;
    this.lockId = lockId;
  }

  private static final Sql TRY_LOCK = Sql.of("SELECT pg_try_advisory_lock(:namespace, :lock)");

  /**
   * Takes the lock if it is free. Returns empty if another session, or another guard of this
   * session, holds it.
   */
  public static Optional<LockGuard> tryAcquire(RdsManager manager, int lockId) {
    return certain(
        manager,
        connection -> {
          boolean granted =
              !manager.isGuarded(lockId) && ask(connection, TRY_LOCK, manager, lockId);
          return granted
              ? Optional.of(manager.guard(connection, new LockGuard(manager, lockId)))
              : Optional.<LockGuard>empty();
        });
  }

  private static final Sql TRY_LOCKS =
      Sql.of(
          """
          SELECT id, pg_try_advisory_lock(:namespace, id) FROM unnest(:lockIds::int[]) AS id
          """);

  /**
   * Takes those of these locks that are free, in one statement.
   *
   * @return the guards of the granted locks, by lockid
   */
  public static Map<Integer, LockGuard> tryAcquireAll(RdsManager manager, Set<Integer> lockIds) {
    return certain(
        manager,
        connection -> {
          Map<Integer, LockGuard> granted = new TreeMap<>();
          Set<Integer> wanted = new TreeSet<>(lockIds);
          wanted.removeIf(manager::isGuarded);
          try (SqlStatement statement = TRY_LOCKS.on(connection)) {
            statement.set("namespace", manager.schemas().lockNamespace());
            ResultSet row = statement.set("lockIds", SqlArrays.sorted(wanted)).query();
            while (row.next()) {
              if (row.getBoolean(2)) {
                LockGuard guard = new LockGuard(manager, row.getInt(1));
                granted.put(guard.lockId(), manager.guard(connection, guard));
              }
            }
          }
          return granted;
        });
  }

  /**
   * Takes the lock, waiting up to {@code limit}. It polls instead of waiting in the database, where
   * the statement would delay the next heartbeats.
   *
   * @throws DatabaseException of kind BUSY if the lock did not become free in time; at once if the
   *     holder is not a recorder's session, which may keep the lock for long
   */
  public static LockGuard acquire(RdsManager manager, int lockId, Duration limit)
      throws InterruptedException {
    Ticker ticker = Ticker.system();
    long deadline = ticker.nanos() + limit.toNanos();
    boolean first = true;
    while (true) {
      Optional<LockGuard> guard = tryAcquire(manager, lockId);
      if (guard.isPresent()) {
        return guard.get();
      }
      boolean over = ticker.nanos() - deadline >= 0;
      if (first || over) {
        first = false;
        manager
            .call(c -> LockHolders.of(c, AdvisoryLockKey.ofLockId(manager.schemas(), lockId)))
            .filter(holder -> over || !holder.ours())
            .ifPresent(
                holder -> {
                  throw held(lockId, limit, holder);
                });
      }
      if (over) {
        throw new DatabaseException(
            DatabaseErrorKind.BUSY,
            "lock " + lockId + " was not free within " + limit.toMillis() + " ms");
      }
      Pause.sleep(POLL);
    }
  }

  private static DatabaseException held(int lockId, Duration limit, LockHolder holder) {
    return new DatabaseException(
        DatabaseErrorKind.BUSY,
        holder.ours()
            ? "lock "
                + lockId
                + " was not free within "
                + limit.toMillis()
                + " ms: it is held by "
                + holder
            : "lock "
                + lockId
                + " is held by a foreign session: "
                + holder
                + "; "
                + holder.remedy());
  }

  public int lockId() {
    return lockId;
  }

  public boolean isHeld() {
    return state.get() == GuardState.HELD;
  }

  /**
   * Returns a stage that completes with the cause when the lock is lost. It never completes if the
   * guard is closed before.
   */
  public CompletionStage<String> loss() {
    return loss;
  }

  private static final Sql UNLOCK = Sql.of("SELECT pg_advisory_unlock(:namespace, :lock)");

  /**
   * Releases the lock. Has no effect if the lock is lost or the guard is closed.
   *
   * @throws DatabaseException if the server reports that the lock was not held, which is a broken
   *     invariant, or if it does not answer; in the latter case the session is ended with its locks
   */
  @Override
  public void close() {
    if (!state.compareAndSet(GuardState.HELD, GuardState.RELEASED)) {
      return;
    }
    boolean unlocked =
        certain(
            manager,
            connection -> {
              manager.unregister(this);
              return ask(connection, UNLOCK, manager, lockId);
            });
    if (!unlocked) {
      throw new DatabaseException(
          DatabaseErrorKind.FAILED,
          "lock " + lockId + " was not held by this session when it was released");
    }
  }

  /** Called by the manager as soon as the session has ended. */
  void lose(String why) {
    if (state.compareAndSet(GuardState.HELD, GuardState.LOST)) {
      loss.complete(why);
    }
  }

  /**
   * Runs a transaction on locks, and ends the session if it fails: it is then unknown whether the
   * session holds a lock, which would never be released. A statement may be cancelled after the
   * server has executed it, without an end of the session.
   */
  private static <T> T certain(RdsManager manager, SqlFunction<Connection, T> transaction) {
    try {
      return manager.call(transaction);
    } catch (DatabaseException e) {
      manager.disconnect("it is not known which locks it has: " + e.getMessage());
      throw e;
    }
  }

  private static boolean ask(Connection connection, Sql sql, RdsManager manager, int lockId)
      throws SQLException {
    try (SqlStatement statement = sql.on(connection)) {
      return statement
          .set("namespace", manager.schemas().lockNamespace())
          .set("lock", lockId)
          .truth();
    }
  }
}
