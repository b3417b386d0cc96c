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
import dev.recorder.lock.postgres.RowSession.Remedy;
import dev.recorder.postgres.Sessions;
import dev.recorder.schema.LockTables;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final String take;
  private final String create;
  private final String giveBack;
  private final String release;
  private final String force;
  private final String look;

  public MutexLocks(Sessions sessions, Instruments instruments) {
    LockTables tables = new LockTables(sessions.schemas());
    String table = tables.mutex();
    this.session = new RowSession(sessions, instruments);
    this.instruments = instruments;
    this.take =
        "UPDATE "
            + table
            + " SET acquired = true, owner = ?, token = "
            + tables.nextToken()
            + ", retries_left = retries_left - 1, acquired_at = clock_timestamp()"
            + " WHERE queue_id = ? AND id = ? AND NOT acquired"
            + " AND (retries_left IS NULL OR retries_left > 0) RETURNING token";
    this.create =
        "INSERT INTO "
            + table
            + " (owner, queue_id, id, acquired, retries_left, token, acquired_at)"
            + " SELECT v.owner, v.queue_id, v.id, true, v.retries - 1, "
            + tables.nextToken()
            + ", clock_timestamp()"
            + " FROM (VALUES (?::text, ?::text, ?::text, ?::int)) AS v (owner, queue_id, id, retries)"
            + " WHERE coalesce(v.retries, 1) > 0 AND NOT EXISTS (SELECT FROM "
            + table
            + " t WHERE t.queue_id = v.queue_id AND t.id = v.id)"
            + " ON CONFLICT DO NOTHING RETURNING token";
    this.giveBack =
        "UPDATE "
            + table
            + " SET acquired = false, released_at = clock_timestamp(),"
            + " retries_left = retries_left + 1"
            + " WHERE queue_id = ? AND id = ? AND acquired AND owner = ?";
    this.release =
        "UPDATE "
            + table
            + " SET acquired = false, released_at = clock_timestamp()"
            + " WHERE queue_id = ? AND id = ? AND acquired AND owner = ? AND token = ?";
    this.force =
        "UPDATE "
            + table
            + " SET acquired = false, owner = NULL, released_at = clock_timestamp(),"
            + " forced_token = token"
            + " WHERE queue_id = ? AND id = ? AND acquired";
    this.look =
        "SELECT acquired, coalesce(owner = ? AND token = ?, false), coalesce(forced_token < ?, true)"
            + " FROM "
            + table
            + " WHERE queue_id = ? AND id = ?";
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
    return session.ask(name.toString(), new Command(force, List.of(queue, id)), RowSession::count)
        > 0;
  }

  private Optional<TrackedLease> attempt(RowName name, @Nullable Integer retries) {
    String owner = session.nextOwner();
    Remedy remedy = new Remedy(new Command(giveBack, List.of(name.queue(), name.id(), owner)));
    Command update = new Command(take, List.of(owner, name.queue(), name.id()));
    OptionalLong token = session.ask(name.toString(), update, RowSession::number, remedy);
    if (token.isEmpty()) {
      Command insert = new Command(create, Arrays.asList(owner, name.queue(), name.id(), retries));
      token = session.ask(name.toString(), insert, RowSession::number, remedy);
    }
    return token.isEmpty() ? Optional.empty() : Optional.of(lease(name, owner, token.getAsLong()));
  }

  private TrackedLease lease(RowName name, String owner, long token) {
    LeaseLife life = LeaseLife.granted(instruments.nanos(), LeaseLife.UNLIMITED, Cause.REVOKED);
    return new TrackedLease(
        name.toString(),
        token,
        life,
        (lease, completed) -> completed ? release(name, owner, token) : null,
        instruments);
  }

  private @Nullable Loss release(RowName name, String owner, long token) {
    Command command = new Command(release, List.of(name.queue(), name.id(), owner, token));
    Changed changed = session.askTwice(name.toString(), command);
    if (changed.rows() > 0) {
      return null;
    }
    return session
        .ask(
            name.toString(),
            new Command(look, List.of(owner, token, token, name.queue(), name.id())),
            row -> loss(row, changed.again()))
        .orElse(null);
  }

  /**
   * Of a row that was not ours to release. If we asked twice, the first try may have released it:
   * then it is ours, and free; or somebody has had it since, and nobody took it from us by force.
   */
  private static Optional<Loss> loss(PreparedStatement statement, boolean again)
      throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
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
