package dev.recorder.schema;

import dev.recorder.postgres.SchemaNames;
import java.util.List;

/**
 * What locks between processes keep in the database: one sequence of fencing tokens for all names
 * and kinds, so that the token of each name rises, and a table for each kind that is a row.
 *
 * <p>A machine that records needs none of it, and runs where it is missing.
 */
public final class LockTables {
  /**
   * Of the UTF-8 text of a lock's id or queue. The columns hold as many characters, which an index
   * takes in any encoding; checks instead would be run by each acquire.
   */
  public static final int LONGEST_NAME_BYTES = 200;

  private static final List<String> RELATIONS =
      List.of("lock_token", "lock_mutex", "lock_timeout", "lock_task");

  private final SchemaNames names;

  public LockTables(SchemaNames names) {
    this.names = names;
  }

  /** SQL expression of the next fencing token; each evaluation uses one up. */
  public String nextToken() {
    return "nextval('" + names.table("lock_token") + "')";
  }

  /** Qualified name. */
  public String mutex() {
    return names.table("lock_mutex");
  }

  /** Qualified name. */
  public String timeout() {
    return names.table("lock_timeout");
  }

  /** Qualified name. */
  public String task() {
    return names.table("lock_task");
  }

  /** Qualified names of all that is created here. */
  List<String> relations() {
    return RELATIONS.stream().map(names::table).toList();
  }

  /** DDL. */
  public List<String> create() {
    return List.of(
        // A cache would hand a session numbers that are lower than another's earlier ones.
        "CREATE SEQUENCE IF NOT EXISTS "
            + names.table("lock_token")
            + " AS bigint CACHE 1 NO CYCLE",
        createMutex(),
        addForcedToken(),
        createTimeout(),
        createTask(),
        waitingTasks(),
        tasksUnderWay());
  }

  /** Rights of a role, besides reading. */
  List<String> grants(String quotedRole) {
    return List.of(
        "GRANT USAGE ON SEQUENCE " + names.table("lock_token") + " TO " + quotedRole,
        "GRANT INSERT, UPDATE ON "
            + String.join(", ", mutex(), timeout(), task())
            + " TO "
            + quotedRole,
        "GRANT DELETE ON " + task() + " TO " + quotedRole);
  }

  /** {@code forced_token} is that of the last lease which {@code release} took from its owner. */
  private String createMutex() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          queue_id varchar(%d) NOT NULL DEFAULT 'default',
          id varchar(%d) NOT NULL,
          acquired boolean NOT NULL DEFAULT false,
          retries_left int,
          owner text,
          token bigint,
          acquired_at timestamptz,
          released_at timestamptz,
          forced_token bigint,
          PRIMARY KEY (queue_id, id)
        ) WITH (fillfactor = 50)"""
        .formatted(mutex(), LONGEST_NAME_BYTES, LONGEST_NAME_BYTES);
  }

  /** To a table of an early build; a role that does not own it must not be stopped by it. */
  private String addForcedToken() {
    return """
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_catalog.pg_attribute
              WHERE attrelid OPERATOR(pg_catalog.=) '%1$s'::pg_catalog.regclass
              AND attname OPERATOR(pg_catalog.=) 'forced_token'::pg_catalog.name) THEN
            ALTER TABLE %1$s ADD COLUMN forced_token pg_catalog.int8;
          END IF;
        END $$"""
        .formatted(mutex());
  }

  private String createTimeout() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          queue_id varchar(%d) NOT NULL DEFAULT 'default',
          id varchar(%d) NOT NULL,
          ts timestamptz NOT NULL DEFAULT '-infinity',
          timeout interval NOT NULL,
          retries_left int,
          owner text,
          token bigint,
          PRIMARY KEY (queue_id, id)
        ) WITH (fillfactor = 50)"""
        .formatted(timeout(), LONGEST_NAME_BYTES, LONGEST_NAME_BYTES);
  }

  /** {@code set_at} is when the status was set: a task that waits has waited since then. */
  private String createTask() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          queue_id varchar(%d) NOT NULL DEFAULT 'default',
          id varchar(%d) NOT NULL,
          status text NOT NULL DEFAULT 'new'
            CHECK (status IN ('new', 'in_progress', 'done', 'failed', 'timed_out')),
          previous_status text,
          retries_left int CHECK (retries_left >= 0),
          owner text,
          token bigint,
          added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
          set_at timestamptz NOT NULL DEFAULT clock_timestamp(),
          captured_at timestamptz,
          deadline timestamptz,
          PRIMARY KEY (queue_id, id),
          CHECK ((status = 'in_progress') = (deadline IS NOT NULL))
        ) WITH (fillfactor = 70)"""
        .formatted(task(), LONGEST_NAME_BYTES, LONGEST_NAME_BYTES);
  }

  /** In the order in which they are captured; those that nobody can capture are not in the way. */
  private String waitingTasks() {
    return "CREATE INDEX IF NOT EXISTS lock_task_waiting ON "
        + task()
        + " (queue_id, status, set_at, id)"
        + " WHERE status <> 'in_progress' AND (retries_left IS NULL OR retries_left > 0)";
  }

  private String tasksUnderWay() {
    return "CREATE INDEX IF NOT EXISTS lock_task_deadline ON "
        + task()
        + " (deadline) WHERE status = 'in_progress'";
  }
}
