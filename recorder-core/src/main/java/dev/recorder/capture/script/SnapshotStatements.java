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
 * The SQL of snapshots, which write the existing rows of a captured table into its log in chunks.
 *
 * <p>A chunk is one statement. It reads rows {@code FOR SHARE} and inserts them into a temporary
 * table, whose trigger calls the table's capture function. The function runs when all rows are
 * locked, takes the statement's number then, and writes the rows with the rights of its owner. So
 * no expression of a rule runs with the rights of the role that takes the snapshot, and no row
 * passes through a client.
 *
 * @param rule the rule, whose table is the name in the log
 * @param pins the captured columns
 * @param columns names of the columns that the capture reads
 */
public record SnapshotStatements(
    CaptureNames names, CaptureRule rule, PinnedColumns pins, List<String> columns) {
  /** Condition in the function: it is called for a chunk. */
  public static final String IS_SNAPSHOT = "TG_NARGS > 0";

  /**
   * The relation for which the function is called. The trigger of a chunk passes it as an argument.
   */
  static final String FIRED = "(CASE WHEN TG_NARGS > 0 THEN TG_ARGV[0]::oid ELSE TG_RELID END)";

  /** The temporary table of the session, which is empty between transactions. */
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

  /** Returns the statement that creates the table of snapshots. */
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

  /**
   * Returns the statements that delete the note on a snapshot. They fail while the snapshot is
   * running.
   */
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
   * Returns the statements that a session needs before its first chunk, inside or outside a
   * transaction.
   *
   * @param table the table, by its present name
   * @param oid the table's oid
   */
  public List<String> prepare(TableName table, long oid) {
    return List.of(
        drop(),
        SqlTemplate.fill(CREATE, Map.of("columns", list(), "table", table.quoted())),
        SqlTemplate.fill(
            TRIGGER,
            Map.of("chunk", CHUNK, "function", names.function(rule), "oid", Long.toString(oid))));
  }

  /** Returns the statement that drops the objects of {@link #prepare}. */
  public String drop() {
    return SqlTemplate.fill("DROP TABLE IF EXISTS {chunk}", Map.of("chunk", CHUNK));
  }

  private static final String HOLD = "LOCK TABLE ONLY {part} IN ROW EXCLUSIVE MODE";

  /**
   * Returns the statement that locks a part against a change of its name without reading it. It
   * also makes CREATE INDEX wait, even {@code CONCURRENTLY}, before the new index can be used.
   *
   * @param part the part's name in SQL
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
   * Returns the statements that hand over the rows of a table or partition between two places. The
   * first result has the number of rows and the server's time at the beginning. The second has the
   * server's time at the end, after the trigger. The server gets both statements at once, so the
   * times exclude the network.
   *
   * @param part the part's name in SQL
   * @param from the first place, as SQL
   * @param to the first place after the rows, as SQL
   */
  public String chunk(String part, String from, String to) {
    return SqlTemplate.fill(
        PART, Map.of("chunk", CHUNK, "columns", list(), "part", part, "from", from, "to", to));
  }

  private static final String WHOLE = "INSERT INTO {chunk} SELECT {columns} FROM {table} AS t";

  /** Returns the statement that hands over all rows of a table that is locked against writers. */
  public String whole(TableName table) {
    return SqlTemplate.fill(
        WHOLE, Map.of("chunk", CHUNK, "columns", list(), "table", table.quoted()));
  }

  /**
   * Returns the statement that writes a {@code schema} row and marks the beginning of a snapshot:
   * the following rows are all rows of the table, except rows of transactions that this statement
   * does not see.
   *
   * @param table the table, by its present name
   */
  public String begin(TableName table) {
    return mark(table, ", 'begin' AS snapshot, pg_current_snapshot()::text AS visible")
        + "\nRETURNING (payload ->> 'seq')::bigint";
  }

  /** Returns the statement that marks the end of a snapshot: all its rows are written. */
  public String end(TableName table, long begun) {
    return mark(table, ", 'end' AS snapshot, " + begun + "::bigint AS begun");
  }

  /** Returns the statement that writes a {@code schema} row. */
  public String columnsOf(TableName table) {
    return mark(table, "") + "\nRETURNING (payload ->> 'seq')::bigint";
  }

  private String mark(TableName table, String marks) {
    return new SchemaRowStatement(
            names, rule, pins, Quoted.literal(table.quoted()) + "::regclass", setUp())
        .sql(marks);
  }

  /** Returns an SQL expression for the capture's present set-up. */
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

  /** Returns the statements that mark the table as empty: the following rows are all its rows. */
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
