package dev.recorder.lock.postgres;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.postgres.Sessions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Locks that become free when their time is over, and not earlier: rows of {@code lock_timeout}.
 * They are for work that the first host does, such as once an hour or once a day.
 *
 * <ul>
 *   <li>A lock can be taken when it is due by the server's clock. It is due once per interval, less
 *       a {@linkplain #slack slack} for jobs that start at about the same time each day, or once
 *       per day or other unit of a calendar.
 *   <li>The {@link Cadence} of the last holder decides when the lock is due; the next holder may
 *       bring another.
 *   <li>Closing a lease does not free the lock. A lease does not signal its end, but {@code
 *       remaining()} and {@code ensure} know it.
 *   <li>An acquire without an answer is undone before this service's next operation, or at its
 *       close. If both fail, the turn is lost.
 * </ul>
 *
 * <p>Thread-safe; one operation at a time, on one session.
 */
public final class TimeoutLocks implements AutoCloseable {
  private static final Duration MOST_SLACK = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private final RowSession session;
  private final RowLocks rows;

  public TimeoutLocks(Sessions sessions, Instruments instruments) {
    this.session = new RowSession(sessions, instruments);
    this.rows = new RowLocks(session, instruments);
  }

  /**
   * Returns how long before the end of its interval a lock can be taken: a hundredth of the
   * interval, at most five minutes.
   */
  public static Duration slack(Duration timeout) {
    Duration hundredth = timeout.dividedBy(100);
    return hundredth.compareTo(MOST_SLACK) < 0 ? hundredth : MOST_SLACK;
  }

  /** Returns the lock of this id in the default queue. */
  public DistributedLock lock(String id, Duration timeout) {
    return lock(id, timeout, RowOptions.DEFAULT);
  }

  /** Returns the lock of this id, which can be taken once per time-out. */
  public DistributedLock lock(String id, Duration timeout, RowOptions options) {
    return lock(id, Cadence.every(timeout), options);
  }

  /**
   * Returns the lock of this id.
   *
   * @throws dev.recorder.lock.LockException if the id or queue is invalid
   */
  public DistributedLock lock(String id, Cadence cadence, RowOptions options) {
    Map<String, String> pieces = new HashMap<>(PIECES);
    pieces.putAll(cadence.pieces());
    return rows.lock(
        id,
        options,
        new RowKind(
            claim -> new Command(TAKE, pieces, values -> cadence.bind(claim.bind(values))),
            claim -> new Command(CREATE, pieces, values -> cadence.bind(claim.bindNew(values))),
            claim -> new Command(GIVE_BACK, claim::bind),
            (ours, sentAt) ->
                rows.lease(ours, LeaseLife.turn(sentAt, ours.left()), (lease, completed) -> null)));
  }

  /** Checks that a time-out is in range, and drops fractions of a millisecond. */
  public static Duration checked(Duration timeout) {
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "time-out " + timeout + " is not from 1 ms to " + LONGEST.toDays() + " days");
    }
    return Duration.ofMillis(timeout.toMillis());
  }

  /** Makes a lock due, whoever had it last. */
  static final String FREE =
      """
      UPDATE {lock_timeout} SET ts = '-infinity', due_at = '-infinity', owner = NULL
      WHERE queue_id = :queue AND id = :id
      """;

  /**
   * Makes a lock due at once, regardless of its last holder: for an operator.
   *
   * @return whether the lock exists and had been taken
   */
  public boolean release(String queue, String id) {
    RowName name = new RowName(queue, id);
    Command free = new Command("{free} AND ts > '-infinity'", Map.of("free", FREE), name::bind);
    return session.update(name.toString(), free) > 0;
  }

  private static final String TAKE =
      """
      UPDATE {lock_timeout} SET ts = {now}, due_at = {due},
        owner = :owner, token = {nextToken}, retries_left = retries_left - 1
      WHERE queue_id = :queue AND id = :id AND {now} > due_at
        AND (retries_left IS NULL OR retries_left > 0)
      RETURNING {granted}
      """;

  private static final String CREATE =
      """
      INSERT INTO {lock_timeout} (owner, queue_id, id, retries_left, token, ts, due_at)
      SELECT v.owner, v.queue_id, v.id, v.retries - 1, {nextToken}, {now}, {due}
      FROM (VALUES (:owner::text, :queue::text, :id::text, :retries::int))
        AS v (owner, queue_id, id, retries)
      {unlessThere}
      """;

  private static final Map<String, String> PIECES =
      Map.of(
          "unlessThere",
          RowKind.UNLESS_THERE,
          "rows",
          "{lock_timeout}",
          "now",
          "clock_timestamp()",
          "granted",
          "token, (extract(epoch FROM due_at - {now}) * 1000)::bigint");

  /**
   * Makes a lock due again, which was due when it was taken. Clears the owner, so that this takes
   * effect once.
   */
  private static final String GIVE_BACK =
      """
      UPDATE {lock_timeout} SET ts = '-infinity', due_at = '-infinity', owner = NULL,
        retries_left = retries_left + 1
      WHERE queue_id = :queue AND id = :id AND owner = :owner
      """;

  /** Ends the session; taken locks stay taken until their time is over. */
  @Override
  public void close() {
    session.close();
  }
}
