package dev.recorder.lock.postgres;

import dev.recorder.schema.LockTables;
import java.util.Set;
import java.util.stream.Collectors;

/** SQL on {@code lock_task}: of each thing that is done, the one statement that does it. */
final class TaskStatements {
  /** So many rows at most in one statement, which the server ends after a second and a half. */
  static final int MOST = 1_000;

  private static final String MAY_BE_CAPTURED =
      "(%1$s.retries_left IS NULL OR %1$s.retries_left > 0)";

  /** In whose hands a task is. */
  private static final String OURS =
      " WHERE t.queue_id = ? AND t.id = ? AND t.status = 'in_progress'"
          + " AND t.owner = ? AND t.token = ?";

  private final String table;
  private final String captured;
  final String add;
  final String take;
  final String create;
  final String giveBack;
  final String set;
  final String extend;
  final String force;
  final String expire;
  final String forget;
  final String look;
  final String lookAtAll;

  TaskStatements(LockTables tables) {
    this.table = tables.task();
    this.captured =
        " SET status = 'in_progress', owner = ?, token = "
            + tables.nextToken()
            + ", retries_left = t.retries_left - 1, captured_at = clock_timestamp(),"
            + " set_at = clock_timestamp(),"
            + " deadline = clock_timestamp() + ? * interval '1 ms', previous_status = ";
    this.add =
        "INSERT INTO "
            + table
            + " (queue_id, id, retries_left)"
            + " SELECT ?::text, u.id, ?::int"
            + " FROM unnest(?::text[]) WITH ORDINALITY AS u (id, place)"
            + " ORDER BY u.place ON CONFLICT DO NOTHING";
    this.take =
        "UPDATE "
            + table
            + " t"
            + captured
            + "CASE t.status WHEN 'in_progress' THEN 'timed_out' ELSE t.status END"
            + " WHERE t.queue_id = ? AND t.id = ? AND (t.status <> 'in_progress'"
            + " OR t.deadline < clock_timestamp()) AND "
            + MAY_BE_CAPTURED.formatted("t")
            + " RETURNING t.token";
    this.create =
        "INSERT INTO "
            + table
            + " (owner, queue_id, id, retries_left, status, previous_status, token, captured_at,"
            + " deadline)"
            + " SELECT v.owner, v.queue_id, v.id, v.retries - 1, 'in_progress', 'new', "
            + tables.nextToken()
            + ", clock_timestamp(), clock_timestamp() + v.ms * interval '1 ms'"
            + " FROM (VALUES (?::text, ?::bigint, ?::text, ?::text, ?::int))"
            + " AS v (owner, ms, queue_id, id, retries)"
            + " WHERE coalesce(v.retries, 1) > 0 AND NOT EXISTS (SELECT FROM "
            + table
            + " t WHERE t.queue_id = v.queue_id AND t.id = v.id)"
            + " ON CONFLICT DO NOTHING RETURNING token";
    this.giveBack =
        "UPDATE "
            + table
            + " SET status = previous_status, owner = NULL, deadline = NULL,"
            + " set_at = clock_timestamp(), retries_left = retries_left + 1"
            + " WHERE status = 'in_progress' AND queue_id = ? AND owner = ?";
    this.set =
        "UPDATE " + table + " t SET status = ?, deadline = NULL, set_at = clock_timestamp()" + OURS;
    this.extend =
        "UPDATE " + table + " t SET deadline = clock_timestamp() + ? * interval '1 ms'" + OURS;
    this.force =
        "UPDATE "
            + table
            + " SET status = ?, owner = NULL, deadline = NULL, set_at = clock_timestamp(),"
            + " retries_left = coalesce(?::int, retries_left) WHERE queue_id = ? AND id = ?";
    this.expire = expire(table);
    this.forget =
        "DELETE FROM "
            + table
            + " WHERE (queue_id, id) IN (SELECT queue_id, id FROM "
            + table
            + " WHERE queue_id = ? AND status = ANY (?::text[]) AND status <> 'in_progress'"
            + " AND set_at < statement_timestamp() - ? * interval '1 ms' LIMIT "
            + MOST
            + " FOR UPDATE SKIP LOCKED)";
    this.look = "SELECT status, owner, token FROM " + table + " WHERE queue_id = ? AND id = ?";
    this.lookAtAll =
        "SELECT w.place, t.status, t.owner, t.token"
            + " FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS w (queue_id, id, place)"
            + " LEFT JOIN "
            + table
            + " t ON t.queue_id = w.queue_id AND t.id = w.id";
  }

  /** {@code clock_timestamp()} would have it read all that is under way, not what is due. */
  private static String expire(String table) {
    String due = "status = 'in_progress' AND deadline < statement_timestamp()";
    return "WITH due AS MATERIALIZED (SELECT queue_id, id FROM "
        + table
        + " WHERE "
        + due
        + " ORDER BY deadline LIMIT "
        + MOST
        + " FOR UPDATE SKIP LOCKED) UPDATE "
        + table
        + " t SET status = 'timed_out', deadline = NULL, set_at = clock_timestamp()"
        + " FROM due WHERE t.queue_id = due.queue_id AND t.id = due.id AND t."
        + due.replace("deadline", "t.deadline");
  }

  /**
   * Moves tasks to {@code in_progress} and returns them. Parameters: the queue once for each
   * status, how many, the owner, the time-out.
   *
   * <p>What waits is read in its order and no further than needed: of each status from the index,
   * merged. Each row is locked by a query of its own: one that somebody else has locked, or changed
   * since, is passed over, and costs no second look at the others.
   */
  String capture(Set<TaskStatus> from) {
    String waiting =
        from.stream()
            .sorted()
            .map(
                status ->
                    "(SELECT queue_id, id, set_at FROM "
                        + table
                        + " s WHERE queue_id = ? AND status = '"
                        + status.word()
                        + "' AND "
                        + MAY_BE_CAPTURED.formatted("s")
                        + " ORDER BY set_at, id)")
            .collect(Collectors.joining(" UNION ALL "));
    String still =
        from.stream()
            .sorted()
            .map(status -> "'" + status.word() + "'")
            .collect(Collectors.joining(", ", "t.status IN (", ")"));
    return "WITH chosen AS MATERIALIZED (SELECT c.queue_id, c.id, c.set_at FROM ("
        + waiting
        + ") c CROSS JOIN LATERAL (SELECT FROM "
        + table
        + " t WHERE t.queue_id = c.queue_id AND t.id = c.id AND t.set_at = c.set_at AND "
        + still
        + " AND "
        + MAY_BE_CAPTURED.formatted("t")
        + " FOR UPDATE SKIP LOCKED) l ORDER BY c.set_at, c.id LIMIT ?), moved AS (UPDATE "
        + table
        + " t"
        + captured
        + "t.status FROM chosen c WHERE t.queue_id = c.queue_id AND t.id = c.id"
        + " AND t.set_at = c.set_at AND "
        + still
        + " RETURNING t.id, t.token, t.previous_status, t.retries_left, c.set_at)"
        + " SELECT id, token, previous_status, retries_left FROM moved ORDER BY set_at, id";
  }

  /** Rows of a queue by id. Parameters: the queue, the status if there is one, how many. */
  String list(boolean ofOneStatus) {
    return "SELECT queue_id, id, status, retries_left, owner, token, added_at, set_at,"
        + " captured_at, deadline FROM "
        + table
        + " WHERE queue_id = ?"
        + (ofOneStatus ? " AND status = ?" : "")
        + " ORDER BY queue_id, id LIMIT ?";
  }
}
