package dev.recorder.lock.postgres;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.RowSession.Command;
import dev.recorder.lock.postgres.RowSession.Grant;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.Sql;
import dev.recorder.postgres.SqlStatement;
import dev.recorder.schema.LockTables;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks that are free again when their time is over, and not before: rows of {@code lock_timeout}.
 * For what is to be done once in an hour or a day by whichever host comes first.
 *
 * <ul>
 *   <li>A lock can be had when, by the server's clock, its time-out has passed since it was had
 *       last, less a {@linkplain #slack slack} for jobs that start at about the same time each day.
 *   <li>The time-out is that of who had it last; who takes it brings the next one.
 *   <li>To let go of one does nothing. A lease does not signal its end; {@code remaining()} and
 *       {@code ensure} know it.
 *   <li>If the answer to an acquire is lost, the turn is given back before this service does
 *       anything else, or when it is closed; if neither can be done, it is lost.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time, on one session.
 */
public final class TimeoutLocks implements AutoCloseable {
  /** Longest pause of who waits. */
  static final Duration POLL = Duration.ofMillis(100);

  private static final Duration MOST_SLACK = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private final RowSession session;
  private final Instruments instruments;
  private final Sql take;
  private final Sql create;
  private final Sql giveBack;
  private final Sql free;

  public TimeoutLocks(Sessions sessions, Instruments instruments) {
    SchemaNames schemas = sessions.schemas();
    String nextToken = new LockTables(schemas).nextToken();
    String mostSlack = "interval '" + MOST_SLACK.toSeconds() + " s'";
    this.session = new RowSession(sessions, instruments);
    this.instruments = instruments;
    this.take = Sql.in(schemas, TAKE, Map.of("nextToken", nextToken, "mostSlack", mostSlack));
    this.create = Sql.in(schemas, CREATE, Map.of("nextToken", nextToken));
    this.giveBack = Sql.in(schemas, GIVE_BACK);
    this.free = Sql.in(schemas, FREE);
  }

  /** By how much sooner than its time-out a lock can be had: a hundredth, at most five minutes. */
  public static Duration slack(Duration timeout) {
    Duration hundredth = timeout.dividedBy(100);
    return hundredth.compareTo(MOST_SLACK) < 0 ? hundredth : MOST_SLACK;
  }

  /** The lock of this id in the default queue. */
  public DistributedLock lock(String id, Duration timeout) {
    return lock(id, timeout, RowOptions.DEFAULT);
  }

  /**
   * The lock of this id.
   *
   * @param timeout from a millisecond to ten years; what is below a millisecond is cut off
   * @throws dev.recorder.lock.LockException if id or queue cannot be used
   */
  public DistributedLock lock(String id, Duration timeout, RowOptions options) {
    RowName name = new RowName(options.queue(), id);
    Duration checked = checked(timeout);
    return new ContendedLock(
        name.toString(),
        limit -> attempt(name, checked, options.retriesOrNull()),
        POLL,
        instruments);
  }

  /** A time-out that a statement can be given. */
  static Duration checked(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "time-out " + timeout + " is not from 1 ms to " + LONGEST.toDays() + " days");
    }
    return Duration.ofMillis(timeout.toMillis());
  }

  private static final String FREE =
      """
      UPDATE {lock_timeout} SET ts = '-infinity', owner = NULL
      WHERE queue_id = :queue AND id = :id AND ts > '-infinity'
      """;

  /**
   * Lets a lock be had at once, whoever had it last: for an operator.
   *
   * @return whether there is such a lock, and somebody had it
   */
  public boolean release(String queue, String id) {
    RowName name = new RowName(queue, id);
    return session.ask(name.toString(), new Command(free, name::bind), SqlStatement::update) > 0;
  }

  private static final String TAKE =
      """
      UPDATE {lock_timeout} SET ts = clock_timestamp(), timeout = :timeout * interval '1 ms',
        owner = :owner, token = {nextToken}, retries_left = retries_left - 1
      WHERE queue_id = :queue AND id = :id
        AND clock_timestamp() > ts + timeout - least(timeout / 100, {mostSlack})
        AND (retries_left IS NULL OR retries_left > 0)
      RETURNING token
      """;

  private static final String CREATE =
      """
      INSERT INTO {lock_timeout} (timeout, owner, queue_id, id, retries_left, token, ts)
      SELECT v.ms * interval '1 ms', v.owner, v.queue_id, v.id, v.retries - 1, {nextToken},
        clock_timestamp()
      FROM (VALUES (:timeout::bigint, :owner::text, :queue::text, :id::text, :retries::int))
        AS v (ms, owner, queue_id, id, retries)
      WHERE coalesce(v.retries, 1) > 0
        AND NOT EXISTS (SELECT FROM {lock_timeout} t WHERE t.queue_id = v.queue_id AND t.id = v.id)
      ON CONFLICT DO NOTHING RETURNING token
      """;

  /** It was due when it was taken, and is again. The row keeps no owner: this is done once. */
  private static final String GIVE_BACK =
      """
      UPDATE {lock_timeout} SET ts = '-infinity', owner = NULL, retries_left = retries_left + 1
      WHERE queue_id = :queue AND id = :id AND owner = :owner
      """;

  private Optional<TrackedLease> attempt(
      RowName name, Duration timeout, @Nullable Integer retries) {
    String owner = session.nextOwner();
    long millis = timeout.toMillis();
    return session
        .take(
            name.toString(),
            new Command(
                take, values -> name.bind(values).set("owner", owner).set("timeout", millis)),
            new Command(
                create,
                values ->
                    name.bind(values)
                        .set("owner", owner)
                        .set("timeout", millis)
                        .setIntOrNull("retries", retries)),
            new Command(giveBack, values -> name.bind(values).set("owner", owner)))
        .map(grant -> lease(name, timeout, grant));
  }

  private TrackedLease lease(RowName name, Duration timeout, Grant grant) {
    LeaseLife life = LeaseLife.turn(grant.sentAt(), timeout.minus(slack(timeout)));
    return new TrackedLease(
        name.toString(), grant.token(), life, (lease, completed) -> null, instruments);
  }

  /** Ends the session; what was had stays so until its time is over. */
  @Override
  public void close() {
    session.close();
  }
}
