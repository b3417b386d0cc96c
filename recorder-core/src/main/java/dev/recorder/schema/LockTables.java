package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
      List.of("lock_token", "lock_name", "lock_mutex", "lock_timeout", "lock_task");

  private final SchemaNames names;

  public LockTables(SchemaNames names) {
    this.names = names;
  }

  /** SQL expression of the next fencing token; each evaluation uses one up. */
  public String nextToken() {
    return SqlTemplate.fill(
        "nextval({sequence})", Map.of("sequence", Quoted.literal(names.table("lock_token"))));
  }

  /** Qualified names of all that is created here. */
  List<String> relations() {
    return RELATIONS.stream().map(names::table).toList();
  }

  /** A cache would hand a session numbers that are lower than another's earlier ones. */
  private static final String TOKEN =
      "CREATE SEQUENCE IF NOT EXISTS {lock_token} AS bigint CACHE 1 NO CYCLE";

  /**
   * Names of advisory locks, which the server knows by a number of it alone. Nothing rests on them:
   * they are for whoever looks who has which lock, and reads each against its number.
   */
  private static final String NAMES =
      """
      CREATE TABLE IF NOT EXISTS {lock_name} (
        key bigint PRIMARY KEY,
        name varchar({longest}) NOT NULL
      )
      """;

  /** Which lock a row is. */
  private static final String NAME =
      """
      queue_id varchar({longest}) NOT NULL DEFAULT 'default',
        id varchar({longest}) NOT NULL,\
      """;

  /** How often it can still be taken, and who had it last. */
  private static final String HAD =
      """
      retries_left int,
        owner text,
        token bigint,\
      """;

  /** {@code forced_token} is that of the last lease which {@code release} took from its owner. */
  private static final String MUTEX =
      """
      CREATE TABLE IF NOT EXISTS {lock_mutex} (
        {name}
        acquired boolean NOT NULL DEFAULT false,
        {had}
        acquired_at timestamptz,
        released_at timestamptz,
        forced_token bigint,
        PRIMARY KEY (queue_id, id)
      ) WITH (fillfactor = 50)
      """;

  /** To a table of an early build; a role that does not own it must not be stopped by it. */
  private static final String FORCED_TOKEN =
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_attribute
            WHERE attrelid OPERATOR(pg_catalog.=) {mutex}::pg_catalog.regclass
            AND attname OPERATOR(pg_catalog.=) 'forced_token'::pg_catalog.name) THEN
          ALTER TABLE {lock_mutex} ADD COLUMN forced_token pg_catalog.int8;
        END IF;
      END $$
      """;

  private static final String TIMEOUT =
      """
      CREATE TABLE IF NOT EXISTS {lock_timeout} (
        {name}
        ts timestamptz NOT NULL DEFAULT '-infinity',
        due_at timestamptz NOT NULL DEFAULT '-infinity',
        {had}
        PRIMARY KEY (queue_id, id)
      ) WITH (fillfactor = 50)
      """;

  /** {@code set_at} is when the status was set: a task that waits has waited since then. */
  private static final String TASK =
      """
      CREATE TABLE IF NOT EXISTS {lock_task} (
        {name}
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
      ) WITH (fillfactor = 70)
      """;

  /** In the order in which they are captured; those that nobody can capture are not in the way. */
  private static final String TASKS_WAITING =
      """
      CREATE INDEX lock_task_waiting ON {lock_task} (queue_id, status, set_at, id)
      WHERE status <> 'in_progress' AND (retries_left IS NULL OR retries_left > 0)
      """;

  private static final String TASKS_UNDER_WAY =
      """
      CREATE INDEX lock_task_deadline ON {lock_task} (deadline)
      WHERE status = 'in_progress'
      """;

  /** DDL. */
  public List<String> create() {
    String longest = Integer.toString(LONGEST_NAME_BYTES);
    String mutex = Quoted.literal(names.table("lock_mutex"));
    Map<String, String> pieces =
        Map.of("longest", longest, "mutex", mutex, "name", NAME, "had", HAD);
    Stream<String> tables =
        Stream.of(TOKEN, NAMES, MUTEX, FORCED_TOKEN, TIMEOUT, TASK)
            .map(ddl -> Sql.in(names, ddl, pieces).text());
    Stream<String> indexes =
        Stream.of(
            MissingIndex.sql(names.table("lock_task_waiting"), Sql.in(names, TASKS_WAITING).text()),
            MissingIndex.sql(
                names.table("lock_task_deadline"), Sql.in(names, TASKS_UNDER_WAY).text()));
    return Stream.concat(tables, indexes).toList();
  }

  /** Rights of a role, besides reading. */
  List<String> grants(String quotedRole) {
    return Stream.of(
            "GRANT USAGE ON SEQUENCE {lock_token} TO {role}",
            "GRANT INSERT ON {lock_name} TO {role}",
            "GRANT INSERT, UPDATE ON {lock_mutex}, {lock_timeout}, {lock_task} TO {role}",
            "GRANT DELETE ON {lock_task} TO {role}")
        .map(grant -> Sql.in(names, grant, Map.of("role", quotedRole)).text())
        .toList();
  }
}
