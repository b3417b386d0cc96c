package dev.recorder.lock.postgres.tasks;

import dev.recorder.lock.postgres.AcquiredRow;
import dev.recorder.lock.postgres.Command;
import dev.recorder.lock.postgres.RowAcquisition;
import dev.recorder.lock.postgres.RowKind;
import dev.recorder.lock.postgres.RowName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements on {@code lock_task}. */
final class TaskStatements {
  /** The most rows of one statement, which the server cancels after a second and a half. */
  static final int MOST = 1_000;

  private static final String CAPTURED =
      """
      status = 'in_progress', owner = :owner, token = {nextToken},
        retries_left = t.retries_left - 1, captured_at = clock_timestamp(),
        set_at = clock_timestamp(), deadline = clock_timestamp() + :timeout * interval '1 ms'""";

  /** The condition that a capture still owns the task. */
  private static final String OURS =
      """
      WHERE t.queue_id = :queue AND t.id = :id AND t.status = 'in_progress'
        AND t.owner = :owner AND t.token = :token""";

  private static final Map<String, String> PIECES =
      Map.of(
          "captured",
          CAPTURED,
          "ours",
          OURS,
          "most",
          Integer.toString(MOST),
          "unlessThere",
          RowKind.UNLESS_THERE,
          "rows",
          "{lock_task}",
          "granted",
          "token, 0");

  private TaskStatements() {}

  private static final String ADD =
      """
      INSERT INTO {lock_task} (queue_id, id, retries_left)
      SELECT :queue::text, u.id, :retries::int
      FROM unnest(:ids::text[]) WITH ORDINALITY AS u (id, place)
      ORDER BY u.place ON CONFLICT DO NOTHING
      """;

  static Command add(String queue, Collection<String> ids, @Nullable Integer retries) {
    return new Command(
        ADD,
        values ->
            values
                .set("queue", queue)
                .setArray("ids", "text", ids.toArray())
                .setIntOrNull("retries", retries));
  }

  private static final String TAKE =
      """
      UPDATE {lock_task} t SET {captured},
        previous_status = CASE t.status WHEN 'in_progress' THEN 'timed_out' ELSE t.status END
      WHERE t.queue_id = :queue AND t.id = :id
        AND (t.status <> 'in_progress' OR t.deadline < clock_timestamp())
        AND (t.retries_left IS NULL OR t.retries_left > 0)
      RETURNING t.token, 0
      """;

  static Command take(RowAcquisition claim, Duration timeout) {
    return new Command(
        TAKE, PIECES, values -> claim.bind(values).set("timeout", timeout.toMillis()));
  }

  private static final String CREATE =
      """
      INSERT INTO {lock_task} (owner, queue_id, id, retries_left, status, previous_status, token,
        captured_at, deadline)
      SELECT v.owner, v.queue_id, v.id, v.retries - 1, 'in_progress', 'new', {nextToken},
        clock_timestamp(), clock_timestamp() + v.ms * interval '1 ms'
      FROM (VALUES (:owner::text, :timeout::bigint, :queue::text, :id::text, :retries::int))
        AS v (owner, ms, queue_id, id, retries)
      {unlessThere}
      """;

  static Command create(RowAcquisition claim, Duration timeout) {
    return new Command(
        CREATE, PIECES, values -> claim.bindNew(values).set("timeout", timeout.toMillis()));
  }

  private static final String GIVE_BACK =
      """
      UPDATE {lock_task} SET status = previous_status, owner = NULL, deadline = NULL,
        set_at = clock_timestamp(), retries_left = retries_left + 1
      WHERE status = 'in_progress' AND queue_id = :queue AND owner = :owner
      """;

  static Command giveBack(String queue, String owner) {
    return new Command(GIVE_BACK, values -> values.set("queue", queue).set("owner", owner));
  }

  private static final String SET =
      """
      UPDATE {lock_task} t SET status = :status, deadline = NULL, set_at = clock_timestamp()
      {ours}
      """;

  static Command set(AcquiredRow ours, TaskStatus status) {
    return new Command(SET, PIECES, values -> ours.bind(values).set("status", status.word()));
  }

  private static final String EXTEND =
      """
      UPDATE {lock_task} t SET deadline = clock_timestamp() + :timeout * interval '1 ms'
      {ours}
      """;

  static Command extend(AcquiredRow ours, Duration timeout) {
    return new Command(
        EXTEND, PIECES, values -> ours.bind(values).set("timeout", timeout.toMillis()));
  }

  private static final String FORCE =
      """
      UPDATE {lock_task} SET status = :status, owner = NULL, deadline = NULL,
        set_at = clock_timestamp(), retries_left = coalesce(:retries::int, retries_left)
      WHERE queue_id = :queue AND id = :id
      """;

  static Command force(RowName name, TaskStatus status, @Nullable Integer retries) {
    return new Command(
        FORCE,
        values -> name.bind(values).set("status", status.word()).setIntOrNull("retries", retries));
  }

  /** With {@code clock_timestamp()} the index could not limit the scan to due tasks. */
  private static final String EXPIRE =
      """
      WITH due AS MATERIALIZED (
        SELECT queue_id, id FROM {lock_task}
        WHERE status = 'in_progress' AND deadline < statement_timestamp()
        ORDER BY deadline LIMIT {most} FOR UPDATE SKIP LOCKED)
      UPDATE {lock_task} t SET status = 'timed_out', deadline = NULL, set_at = clock_timestamp()
      FROM due
      WHERE t.queue_id = due.queue_id AND t.id = due.id
        AND t.status = 'in_progress' AND t.deadline < statement_timestamp()
      """;

  static Command expire() {
    return new Command(EXPIRE, PIECES, values -> {});
  }

  private static final String FORGET =
      """
      DELETE FROM {lock_task}
      WHERE (queue_id, id) IN (
        SELECT queue_id, id FROM {lock_task}
        WHERE queue_id = :queue AND status = ANY (:settled::text[]) AND status <> 'in_progress'
          AND set_at < statement_timestamp() - :age * interval '1 ms'
        LIMIT {most} FOR UPDATE SKIP LOCKED)
      """;

  static Command forget(String queue, Set<TaskStatus> settled, Duration age) {
    return new Command(
        FORGET,
        PIECES,
        values ->
            values
                .set("queue", queue)
                .setArray("settled", "text", settled.stream().map(TaskStatus::word).toArray())
                .set("age", age.toMillis()));
  }

  private static final String LOOK =
      "SELECT status, owner, token FROM {lock_task} WHERE queue_id = :queue AND id = :id";

  static Command look(RowName name) {
    return new Command(LOOK, name::bind);
  }

  private static final String LOOK_AT_ALL =
      """
      SELECT w.place, t.status, t.owner, t.token
      FROM unnest(:queues::text[], :ids::text[]) WITH ORDINALITY AS w (queue_id, id, place)
      LEFT JOIN {lock_task} t ON t.queue_id = w.queue_id AND t.id = w.id
      """;

  /** Returns a row for each name, with its place counted from 1, whether the task exists or not. */
  static Command lookAt(List<RowName> names) {
    return new Command(
        LOOK_AT_ALL,
        values ->
            values
                .setArray("queues", "text", names.stream().map(RowName::queue).toArray())
                .setArray("ids", "text", names.stream().map(RowName::id).toArray()));
  }

  private static final String WAITING =
      """
      (SELECT queue_id, id, set_at FROM {table} s
        WHERE queue_id = :queue AND status = {status}
          AND (s.retries_left IS NULL OR s.retries_left > 0)
        ORDER BY set_at, id)""";

  private static final String CAPTURE =
      """
      WITH chosen AS MATERIALIZED (
        SELECT c.queue_id, c.id, c.set_at
        FROM ({waiting}) c
        CROSS JOIN LATERAL (
          SELECT FROM {lock_task} t
          WHERE t.queue_id = c.queue_id AND t.id = c.id AND t.set_at = c.set_at
            AND t.status IN ({statuses}) AND (t.retries_left IS NULL OR t.retries_left > 0)
          FOR UPDATE SKIP LOCKED) l
        ORDER BY c.set_at, c.id LIMIT :limit),
      moved AS (
        UPDATE {lock_task} t SET {captured}, previous_status = t.status
        FROM chosen c
        WHERE t.queue_id = c.queue_id AND t.id = c.id AND t.set_at = c.set_at
          AND t.status IN ({statuses})
        RETURNING t.id, t.token, t.previous_status, t.retries_left, c.set_at)
      SELECT id, token, previous_status, retries_left FROM moved ORDER BY set_at, id
      """;

  /**
   * Moves tasks to {@code in_progress} and returns them.
   *
   * <p>Waiting tasks are read in order from the index, merged over the statuses, and only as many
   * as needed. Each row is locked by a subquery of its own, so that a row that another transaction
   * has locked or changed is skipped without reading the others again.
   */
  static Command capture(
      String queue, Set<TaskStatus> from, int limit, String owner, Duration timeout) {
    List<String> words =
        from.stream().sorted().map(status -> Quoted.literal(status.word())).toList();
    String waiting =
        words.stream()
            .map(
                status ->
                    SqlTemplate.fill(WAITING, Map.of("status", status, "table", "{lock_task}")))
            .collect(Collectors.joining(" UNION ALL "));
    return new Command(
        CAPTURE,
        Map.of("waiting", waiting, "statuses", String.join(", ", words), "captured", CAPTURED),
        values ->
            values
                .set("queue", queue)
                .set("limit", limit)
                .set("owner", owner)
                .set("timeout", timeout.toMillis()));
  }

  private static final String LIST =
      """
      SELECT queue_id, id, status, retries_left, owner, token, added_at, set_at, captured_at,
        deadline
      FROM {lock_task} WHERE queue_id = :queue {filter} ORDER BY queue_id, id LIMIT :limit
      """;

  /** Returns rows of a queue by id; of all statuses if {@code status} is null. */
  static Command list(String queue, @Nullable TaskStatus status, int limit) {
    if (status == null) {
      return new Command(
          LIST, Map.of("filter", ""), values -> values.set("queue", queue).set("limit", limit));
    }
    return new Command(
        LIST,
        Map.of("filter", "AND status = :status"),
        values -> values.set("queue", queue).set("status", status.word()).set("limit", limit));
  }
}
