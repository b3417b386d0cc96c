package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.TableName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The SQL of snapshots: the rows that a captured table has, written into its log in chunks.
 *
 * <p>A chunk is one statement of whoever takes the snapshot. It reads rows {@code FOR SHARE} and
 * puts them into a temporary table, whose trigger is the table's capture function: this runs once
 * all of them are locked, takes the number of the statement then, and with the rights of its owner
 * writes what it was given. So no expression of a rule runs with the rights of whoever takes the
 * snapshot, and no row passes through a client.
 *
 * @param rule whose table is the one in the log
 * @param pins the columns that are captured
 * @param columns those that the capture reads
 */
public record SnapshotStatements(
    CaptureNames names, CaptureRule rule, PinnedColumns pins, List<String> columns) {
  /** How the function knows that it is called for a chunk. */
  public static final String IS_SNAPSHOT = "TG_NARGS > 0";

  /** The relation that the function is called for; a chunk's trigger is given it. */
  static final String FIRED = "(CASE WHEN TG_NARGS > 0 THEN TG_ARGV[0]::oid ELSE TG_RELID END)";

  /** Of the session, and empty between transactions. */
  private static final String CHUNK = "pg_temp.recorder_chunk";

  public SnapshotStatements {
    columns = List.copyOf(columns);
  }

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS {snapshots} (
        recorder text NOT NULL,
        captured text NOT NULL,
        begun bigint NOT NULL,
        since timestamptz NOT NULL,
        server text NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamptz,
        row_count bigint NOT NULL DEFAULT 0,
        blocks bigint NOT NULL,
        blocks_done bigint NOT NULL DEFAULT 0,
        parts_done oid[] NOT NULL DEFAULT '{}',
        part oid,
        part_file oid,
        part_blocks bigint,
        next_place bigint,
        PRIMARY KEY (recorder, captured)
      )""";

  /** The statement that creates the table of snapshots. */
  static String table(CaptureNames names) {
    return SqlTemplate.fill(TABLE, Map.of("snapshots", names.snapshots()));
  }

  private static final String LOCKED =
      """
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtextextended({lock}, 0)) THEN
          RAISE lock_not_available USING MESSAGE = 'its rows are being handed over',
            HINT = 'Let the snapshot end, or end its session.';
        END IF;
      END""";

  /** The statements that forget it, unless it is under way. */
  static List<String> removal(CaptureNames names, CaptureRule rule) {
    String lock =
        SqlTemplate.fill(
            LOCKED,
            Map.of(
                "lock", Quoted.literal(CaptureNames.snapshotLock(rule.recorder(), rule.table()))));
    return List.of(
        SqlTemplate.fill("DO {block}", Map.of("block", Quoted.dollars("lock", lock))),
        CaptureRemoval.forget(names.snapshots(), rule));
  }

  private static final String CREATE =
      """
      CREATE TEMPORARY TABLE recorder_chunk ON COMMIT DELETE ROWS AS
      SELECT {columns} FROM ONLY {table} AS t WITH NO DATA""";

  private static final String TRIGGER =
      """
      CREATE TRIGGER chunk AFTER INSERT ON {chunk} REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION {function}({oid})""";

  /**
   * What a session needs before its first chunk, outside of a transaction or within.
   *
   * @param table the table as it is called now
   * @param oid the table's
   */
  public List<String> prepare(TableName table, long oid) {
    return List.of(
        drop(),
        SqlTemplate.fill(CREATE, Map.of("columns", list(), "table", table.quoted())),
        SqlTemplate.fill(
            TRIGGER,
            Map.of("chunk", CHUNK, "function", names.function(rule), "oid", Long.toString(oid))));
  }

  /** Ends what {@link #prepare} has begun. */
  public String drop() {
    return SqlTemplate.fill("DROP TABLE IF EXISTS {chunk}", Map.of("chunk", CHUNK));
  }

  private static final String HOLD = "LOCK TABLE ONLY {part} IN ROW EXCLUSIVE MODE";

  /**
   * Keeps a name with what has it, as reading a chunk does, but reads nothing; and has whoever
   * creates an index wait, also {@code CONCURRENTLY}, once it is there and before it is used.
   *
   * @param part its name in SQL
   */
  public String hold(String part) {
    return SqlTemplate.fill(HOLD, Map.of("part", part));
  }

  private static final String PART =
      """
      WITH chunk AS (
        INSERT INTO {chunk} SELECT {columns} FROM ONLY {part} AS t
        WHERE t.ctid >= {from} AND t.ctid < {to} FOR SHARE RETURNING 1)
      SELECT count(*), (extract(epoch FROM statement_timestamp()) * 1000)::bigint FROM chunk;
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint""";

  /**
   * Hands over the rows that a table or a partition has between two places. The first result is how
   * many, and when the server began; the second, when it had ended, the trigger included. Both are
   * sent at once: what the network takes is in neither.
   *
   * @param part its name in SQL
   * @param from the first place, as SQL
   * @param to the first place behind it, as SQL
   */
  public String chunk(String part, String from, String to) {
    return SqlTemplate.fill(
        PART, Map.of("chunk", CHUNK, "columns", list(), "part", part, "from", from, "to", to));
  }

  private static final String WHOLE = "INSERT INTO {chunk} SELECT {columns} FROM {table} AS t";

  /** Hands over all rows of a table that is locked against writers. */
  public String whole(TableName table) {
    return SqlTemplate.fill(
        WHOLE, Map.of("chunk", CHUNK, "columns", list(), "table", table.quoted()));
  }

  /**
   * Tells the columns, and that the rows that follow are all there are except those that were
   * written by transactions which this statement's snapshot does not see.
   *
   * @param table the table as it is called now
   */
  public String begin(TableName table) {
    return mark(table, ", 'begin' AS snapshot, pg_current_snapshot()::text AS visible")
        + "\nRETURNING (payload ->> 'seq')::bigint";
  }

  /** Tells that all rows of the snapshot that was begun are there. */
  public String end(TableName table, long begun) {
    return mark(table, ", 'end' AS snapshot, " + begun + "::bigint AS begun");
  }

  /** Tells the columns. */
  public String columnsOf(TableName table) {
    return mark(table, "") + "\nRETURNING (payload ->> 'seq')::bigint";
  }

  private String mark(TableName table, String marks) {
    return new SchemaRowStatement(
            names, rule, pins, Quoted.literal(table.quoted()) + "::regclass", setUp())
        .sql(marks);
  }

  /** The present one. */
  private String setUp() {
    return SqlTemplate.fill(
        "(SELECT k.set_up FROM {captures} AS k WHERE k.recorder = {recorder} AND k.captured = {table})",
        Map.of(
            "captures", names.captures(),
            "recorder", Quoted.literal(rule.recorder().value()),
            "table", Quoted.literal(rule.table().logged())));
  }

  private static final String EMPTIED =
      """
      INSERT INTO {handoff} (key, payload)
      SELECT left({table}, 2000), row_to_json(change.*)
      FROM (SELECT {by}, 'truncate' AS op, {table} AS "table", nextval({sequence}) AS seq,
          'begin' AS snapshot) AS change""";

  /** Tells that the rows that follow are all there are. */
  public String emptied() {
    return SqlTemplate.fill(
        EMPTIED,
        Map.of(
            "by", ChangeStatements.mark(),
            "handoff", names.schemas().handoffTable(rule.recorder()),
            "table", Quoted.literal(rule.table().logged()),
            "sequence", Quoted.literal(names.sequence(rule.recorder()))));
  }

  private String list() {
    return columns.stream()
        .map(name -> "t." + Quoted.identifier(name))
        .collect(Collectors.joining(", "));
  }
}
