package dev.recorder.lock.postgres;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.RowSession.Changed;
import dev.recorder.lock.postgres.RowSession.Command;
import dev.recorder.lock.postgres.RowSession.Grant;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.Sql;
import dev.recorder.postgres.SqlAction;
import dev.recorder.postgres.SqlStatement;
import dev.recorder.schema.LockTables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks that outlive a failure: rows of {@code lock_mutex} that are taken until their work has
 * succeeded. Who dies, or closes a lease without {@link TrackedLease#complete()}, leaves the lock
 * taken, so that nothing goes on before somebody has looked and called {@link #release}.
 *
 * <ul>
 *   <li>To take one and to release it is one UPDATE each, in one round trip. Whoever waits asks
 *       every {@link #POLL} or sooner, at least every half of it.
 *   <li>A lease does not run out and signals no loss. That it was taken away by {@link #release} is
 *       noticed when it is closed.
 *   <li>If the answer to a release is lost, it is sent again, and known to have worked also if
 *       somebody has had the lock since; unless somebody's lease was ended by force meanwhile, when
 *       it is reported as lost.
 *   <li>If the answer to an acquire is lost, it is given back before this service does anything
 *       else, or when it is closed; if neither can be done, the lock stays taken, as after a
 *       failure.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time, on one session.
 */
public final class MutexLocks implements AutoCloseable {
  /** Longest pause of who waits. */
  static final Duration POLL = Duration.ofMillis(100);

  private final RowSession session;
  private final Instruments instruments;
  private final Sql take;
  private final Sql create;
  private final Sql giveBack;
  private final Sql release;
  private final Sql force;
  private final Sql look;

  public MutexLocks(Sessions sessions, Instruments instruments) {
    SchemaNames schemas = sessions.schemas();
    Map<String, String> pieces = Map.of("nextToken", new LockTables(schemas).nextToken());
    this.session = new RowSession(sessions, instruments);
    this.instruments = instruments;
    this.take = Sql.in(schemas, TAKE, pieces);
    this.create = Sql.in(schemas, CREATE, pieces);
    this.giveBack = Sql.in(schemas, GIVE_BACK);
    this.release = Sql.in(schemas, RELEASE);
    this.force = Sql.in(schemas, FORCE);
    this.look = Sql.in(schemas, LOOK);
  }

  /** The lock of this id in the default queue. */
  public DistributedLock lock(String id) {
    return lock(id, RowOptions.DEFAULT);
  }

  /**
   * The lock of this id.
   *
   * @throws dev.recorder.lock.LockException if id or queue cannot be used
   */
  public DistributedLock lock(String id, RowOptions options) {
    RowName name = new RowName(options.queue(), id);
    return new ContendedLock(
        name.toString(), limit -> attempt(name, options.retriesOrNull()), POLL, instruments);
  }

  private static final String FORCE =
      """
      UPDATE {lock_mutex} SET acquired = false, owner = NULL, released_at = clock_timestamp(),
        forced_token = token
      WHERE queue_id = :queue AND id = :id AND acquired
      """;

  /**
   * Releases a lock of the default queue whoever has it: for an operator who has looked why its
   * owner failed.
   *
   * @return whether it was taken
   */
  public boolean release(String id) {
    return release(RowName.DEFAULT_QUEUE, id);
  }

  /** As {@link #release(String)}, in any queue. */
  public boolean release(String queue, String id) {
    RowName name = new RowName(queue, id);
    return session.ask(name.toString(), new Command(force, name::bind), SqlStatement::update) > 0;
  }

  private static final String TAKE =
      """
      UPDATE {lock_mutex} SET acquired = true, owner = :owner, token = {nextToken},
        retries_left = retries_left - 1, acquired_at = clock_timestamp()
      WHERE queue_id = :queue AND id = :id AND NOT acquired
        AND (retries_left IS NULL OR retries_left > 0)
      RETURNING token
      """;

  private static final String CREATE =
      """
      INSERT INTO {lock_mutex} (owner, queue_id, id, acquired, retries_left, token, acquired_at)
      SELECT v.owner, v.queue_id, v.id, true, v.retries - 1, {nextToken}, clock_timestamp()
      FROM (VALUES (:owner::text, :queue::text, :id::text, :retries::int))
        AS v (owner, queue_id, id, retries)
      WHERE coalesce(v.retries, 1) > 0
        AND NOT EXISTS (SELECT FROM {lock_mutex} t WHERE t.queue_id = v.queue_id AND t.id = v.id)
      ON CONFLICT DO NOTHING RETURNING token
      """;

  private static final String GIVE_BACK =
      """
      UPDATE {lock_mutex} SET acquired = false, released_at = clock_timestamp(),
        retries_left = retries_left + 1
      WHERE queue_id = :queue AND id = :id AND acquired AND owner = :owner
      """;

  private Optional<TrackedLease> attempt(RowName name, @Nullable Integer retries) {
    String owner = session.nextOwner();
    SqlAction<SqlStatement> ours = values -> name.bind(values).set("owner", owner);
    return session
        .take(
            name.toString(),
            new Command(take, ours),
            new Command(
                create,
                values -> name.bind(values).set("owner", owner).setIntOrNull("retries", retries)),
            new Command(giveBack, ours))
        .map(grant -> lease(name, owner, grant));
  }

  private TrackedLease lease(RowName name, String owner, Grant grant) {
    LeaseLife life = LeaseLife.granted(grant.sentAt(), LeaseLife.UNLIMITED, Cause.REVOKED);
    return new TrackedLease(
        name.toString(),
        grant.token(),
        life,
        (lease, completed) -> completed ? release(name, owner, grant.token()) : null,
        instruments);
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

  private @Nullable Loss release(RowName name, String owner, long token) {
    SqlAction<SqlStatement> ours =
        values -> name.bind(values).set("owner", owner).set("token", token);
    Changed changed = session.askTwice(name.toString(), new Command(release, ours));
    if (changed.rows() > 0) {
      return null;
    }
    return session
        .ask(name.toString(), new Command(look, ours), found -> loss(found, changed.again()))
        .orElse(null);
  }

  /**
   * Of a row that was not ours to release. If we asked twice, the first try may have released it:
   * then it is ours, and free; or somebody has had it since, and nobody took it from us by force.
   */
  private static Optional<Loss> loss(SqlStatement found, boolean again) throws SQLException {
    try (ResultSet row = found.query()) {
      boolean exists = row.next();
      if (exists && (row.getBoolean(2) || (again && row.getBoolean(3)))) {
        return Optional.empty();
      }
      return Optional.of(
          exists && row.getBoolean(1)
              ? new Loss(Cause.TAKEN_OVER, "it was released by force, and somebody else has it")
              : new Loss(Cause.REVOKED, "it was released by force"));
    }
  }

  /** Ends the session; what is taken stays taken. */
  @Override
  public void close() {
    session.close();
  }
}
