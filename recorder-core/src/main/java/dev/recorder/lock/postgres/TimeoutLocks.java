package dev.recorder.lock.postgres;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.TrackedLease;
import dev.recorder.lock.postgres.RowSession.Command;
import dev.recorder.lock.postgres.RowSession.Remedy;
import dev.recorder.postgres.Sessions;
import dev.recorder.schema.LockTables;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  private final String take;
  private final String create;
  private final String giveBack;
  private final String free;

  public TimeoutLocks(Sessions sessions, Instruments instruments) {
    LockTables tables = new LockTables(sessions.schemas());
    String table = tables.timeout();
    this.session = new RowSession(sessions, instruments);
    this.instruments = instruments;
    this.take =
        "UPDATE "
            + table
            + " SET ts = clock_timestamp(), timeout = ? * interval '1 ms',"
            + " owner = ?, token = "
            + tables.nextToken()
            + ", retries_left = retries_left - 1"
            + " WHERE queue_id = ? AND id = ?"
            + " AND clock_timestamp() > ts + timeout - least(timeout / 100, interval '"
            + MOST_SLACK.toSeconds()
            + " s') AND (retries_left IS NULL OR retries_left > 0) RETURNING token";
    this.create =
        "INSERT INTO "
            + table
            + " (timeout, owner, queue_id, id, retries_left, token, ts)"
            + " SELECT v.ms * interval '1 ms', v.owner, v.queue_id, v.id, v.retries - 1, "
            + tables.nextToken()
            + ", clock_timestamp()"
            + " FROM (VALUES (?::bigint, ?::text, ?::text, ?::text, ?::int))"
            + " AS v (ms, owner, queue_id, id, retries)"
            + " WHERE coalesce(v.retries, 1) > 0 AND NOT EXISTS (SELECT FROM "
            + table
            + " t WHERE t.queue_id = v.queue_id AND t.id = v.id)"
            + " ON CONFLICT DO NOTHING RETURNING token";
    // It was due when it was taken, and is again. The row keeps no owner: this is done once.
    this.giveBack =
        "UPDATE "
            + table
            + " SET ts = '-infinity', owner = NULL, retries_left = retries_left + 1"
            + " WHERE queue_id = ? AND id = ? AND owner = ?";
    this.free =
        "UPDATE "
            + table
            + " SET ts = '-infinity', owner = NULL WHERE queue_id = ? AND id = ?"
            + " AND ts > '-infinity'";
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

  /**
   * Lets a lock be had at once, whoever had it last: for an operator.
   *
   * @return whether there is such a lock, and somebody had it
   */
  public boolean release(String queue, String id) {
    RowName name = new RowName(queue, id);
    return session.ask(name.toString(), new Command(free, List.of(queue, id)), RowSession::count)
        > 0;
  }

  private Optional<TrackedLease> attempt(
      RowName name, Duration timeout, @Nullable Integer retries) {
    String owner = session.nextOwner();
    Remedy remedy = new Remedy(new Command(giveBack, List.of(name.queue(), name.id(), owner)));
    long sentAt = instruments.nanos();
    Command update = new Command(take, List.of(timeout.toMillis(), owner, name.queue(), name.id()));
    OptionalLong token = session.ask(name.toString(), update, RowSession::number, remedy);
    if (token.isEmpty()) {
      Command insert =
          new Command(
              create, Arrays.asList(timeout.toMillis(), owner, name.queue(), name.id(), retries));
      sentAt = instruments.nanos();
      token = session.ask(name.toString(), insert, RowSession::number, remedy);
    }
    return token.isEmpty()
        ? Optional.empty()
        : Optional.of(lease(name, timeout, sentAt, token.getAsLong()));
  }

  private TrackedLease lease(RowName name, Duration timeout, long sentAt, long token) {
    LeaseLife life = LeaseLife.turn(sentAt, timeout.minus(slack(timeout)));
    return new TrackedLease(name.toString(), token, life, (lease, completed) -> null, instruments);
  }

  /** Ends the session; what was had stays so until its time is over. */
  @Override
  public void close() {
    session.close();
  }
}
