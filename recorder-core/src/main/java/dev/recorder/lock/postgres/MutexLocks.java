package dev.recorder.lock.postgres;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.RowSession.ChangedRows;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks that survive a failure: rows of {@code lock_mutex} that stay taken until their work has
 * succeeded. A holder that dies, or closes a lease without {@link TrackedLease#complete()}, leaves
 * the lock taken until an operator has checked and called {@link #release}.
 *
 * <ul>
 *   <li>Taking and releasing are one UPDATE and one round trip each. Waiters repeat the request
 *       after half of {@link RowLocks#POLL} to all of it.
 *   <li>A lease does not run out and signals no loss. A {@link #release} by force is noticed when
 *       the lease is closed.
 *   <li>A release without an answer is sent again. The repetition shows whether the release worked,
 *       even if another holder has had the lock since. If a lease was ended by force meanwhile, the
 *       lease is reported as lost.
 *   <li>An acquire without an answer is undone before this service's next operation, or at its
 *       close. If both fail, the lock stays taken, as after a failure.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time, on one session.
 */
public final class MutexLocks implements AutoCloseable {
  private final RowSession session;
  private final RowLocks rows;
  private final RowKind kind =
      new RowKind(
          claim -> new Command(TAKE, claim::bind),
          claim -> new Command(CREATE, PIECES, claim::bindNew),
          claim -> new Command(GIVE_BACK, claim::bind),
          this::lease);

  public MutexLocks(Sessions sessions, Instruments instruments) {
    this.session = new RowSession(sessions, instruments);
    this.rows = new RowLocks(session, instruments);
  }

  /** Returns the lock of this id in the default queue. */
  public DistributedLock lock(String id) {
    return lock(id, RowOptions.DEFAULT);
  }

  /**
   * Returns the lock of this id.
   *
   * @throws dev.recorder.lock.LockException if the id or queue is invalid
   */
  public DistributedLock lock(String id, RowOptions options) {
    return rows.lock(id, options, kind);
  }

  /** Releases a mutex, whoever holds it. */
  static final String FORCE =
      """
      UPDATE {lock_mutex} SET acquired = false, owner = NULL, released_at = clock_timestamp(),
        forced_token = token
      WHERE queue_id = :queue AND id = :id AND acquired
      """;

  /**
   * Releases a lock of the default queue regardless of its holder: for an operator who has checked
   * why the holder failed.
   *
   * @return whether the lock was taken
   */
  public boolean release(String id) {
    return release(RowName.DEFAULT_QUEUE, id);
  }

  /** As {@link #release(String)}, in any queue. */
  public boolean release(String queue, String id) {
    RowName name = new RowName(queue, id);
    return session.update(name.toString(), new Command(FORCE, name::bind)) > 0;
  }

  private static final String TAKE =
      """
      UPDATE {lock_mutex} SET acquired = true, owner = :owner, token = {nextToken},
        retries_left = retries_left - 1, acquired_at = clock_timestamp()
      WHERE queue_id = :queue AND id = :id AND NOT acquired
        AND (retries_left IS NULL OR retries_left > 0)
      RETURNING token, 0
      """;

  private static final String CREATE =
      """
      INSERT INTO {lock_mutex} (owner, queue_id, id, acquired, retries_left, token, acquired_at)
      SELECT v.owner, v.queue_id, v.id, true, v.retries - 1, {nextToken}, clock_timestamp()
      FROM (VALUES (:owner::text, :queue::text, :id::text, :retries::int))
        AS v (owner, queue_id, id, retries)
      {unlessThere}
      """;

  private static final Map<String, String> PIECES =
      Map.of("unlessThere", RowKind.UNLESS_THERE, "rows", "{lock_mutex}", "granted", "token, 0");

  private static final String GIVE_BACK =
      """
      UPDATE {lock_mutex} SET acquired = false, released_at = clock_timestamp(),
        retries_left = retries_left + 1
      WHERE queue_id = :queue AND id = :id AND acquired AND owner = :owner
      """;

  private TrackedLease lease(AcquiredRow ours, long sentAt) {
    return rows.lease(
        ours,
        LeaseLife.granted(sentAt, LeaseLife.UNLIMITED, Cause.REVOKED),
        (lease, completed) -> completed ? release(ours) : null);
  }

  private static final String RELEASE =
      """
      UPDATE {lock_mutex} SET acquired = false, released_at = clock_timestamp()
      WHERE queue_id = :queue AND id = :id AND acquired AND owner = :owner AND token = :token
      """;

  private static final String LOOK =
      """
      SELECT acquired, coalesce(owner = :owner AND token = :token, false),
        coalesce(forced_token < :token, true)
      FROM {lock_mutex} WHERE queue_id = :queue AND id = :id
      """;

  private @Nullable Loss release(AcquiredRow ours) {
    String lock = ours.name().toString();
    ChangedRows changed = session.askTwice(lock, new Command(RELEASE, ours::bind));
    return changed.rows() > 0
        ? null
        : session
            .ask(lock, new Command(LOOK, ours::bind), found -> loss(found, changed.again()))
            .orElse(null);
  }

  /**
   * Explains a release that changed no row. If the release was sent twice, the first attempt may
   * have succeeded. In that case the row still has our token and is free, or another holder has had
   * it since and it was not released by force.
   */
  private static Optional<Loss> loss(SqlStatement found, boolean again) throws SQLException {
    try (ResultSet row = found.query()) {
      boolean exists = row.next();
      if (exists && (row.getBoolean(2) || (again && row.getBoolean(3)))) {
        return Optional.empty();
      }
      return Optional.of(
          exists && row.getBoolean(1)
              ? new Loss(Cause.TAKEN_OVER, "it was released by force, and another process has it")
              : new Loss(Cause.REVOKED, "it was released by force"));
    }
  }

  /** Ends the session; taken locks stay taken. */
  @Override
  public void close() {
    session.close();
  }
}
