package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.CaptureTriggerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The row triggers of a captured partitioned table, which all its partitions inherit, including new
 * ones. They never call their function; only their conditions have an effect. Every role may
 * execute the function, so creating a partition needs no further right.
 *
 * <p>The INSERT trigger only has to exist. Without a row trigger, stored generated columns are NULL
 * in the transition tables if a partition has its columns in another order.
 *
 * <p>The UPDATE trigger counts rows that get another partition key. If an UPDATE moves a row to
 * another partition, the row is in the transition tables of UPDATE. If a MERGE moves it, the row is
 * in the transition tables of DELETE and INSERT, whose triggers fire only if the MERGE has such
 * actions. The change would be missing in the log without notice. So the function of the UPDATE
 * triggers notes a loss if its transition tables have fewer rows with a changed partition key than
 * were counted. The count is a setting of the transaction, which any session may change. Captured
 * changes do not depend on it.
 *
 * <p>Creating such a trigger locks all partitions, so this is the last step, in a transaction of
 * its own. The server also evaluates the constant parts of partition keys with the rights of the
 * creating role.
 */
public record RowTriggers(CaptureNames names, CaptureRule rule) {
  /** Declarations of the variables that {@link #check} uses. */
  static final String DECLARATION = "counted text;\n  is_moved boolean;";

  private static final String VALUES = "values";
  private static final String MOVES = "moves";

  private static final String CREATE =
      """
      DECLARE
        root CONSTANT regclass := to_regclass({table});
        foreign_code text;
        old_key text;
        new_key text;
      BEGIN
        foreign_code := ({foreign_code});
        IF foreign_code IS NOT NULL THEN
          RAISE feature_not_supported USING
            MESSAGE = format('partitions of %s cannot be captured as a whole: %s', root, foreign_code);
        END IF;
        CREATE OR REPLACE TRIGGER {values} BEFORE INSERT ON {relation}
          FOR EACH ROW WHEN (false) EXECUTE FUNCTION suppress_redundant_updates_trigger();
        IF current_setting('server_version_num')::int < 150000 THEN
          RETURN; -- It has no MERGE.
        END IF;
        SELECT string_agg(format('OLD.%I', k.attname), ', ' ORDER BY k.attnum),
            string_agg(format('NEW.%I', k.attname), ', ' ORDER BY k.attnum)
          INTO old_key, new_key FROM ({key_columns}) AS k;
        EXECUTE format($t$
          CREATE OR REPLACE TRIGGER {moves} BEFORE UPDATE ON {relation} FOR EACH ROW
          WHEN (record_image_ne(ROW(%s), ROW(%s)) AND set_config({setting} || pg_trigger_depth(), (1 + coalesce(
            nullif(current_setting({setting} || pg_trigger_depth(), true), ''), '0')::bigint)::text,
            true) IS NULL)
          EXECUTE FUNCTION suppress_redundant_updates_trigger()$t$, old_key, new_key);
      END\
      """;

  private static final String COMPLETE =
      """
      UPDATE {captures} SET is_complete = true
      WHERE recorder = {recorder} AND captured = {captured}\
      """;

  /** Query for the columns of the partition keys of a table and of the tables below it. */
  private static final String KEY_COLUMNS =
      """
      SELECT DISTINCT a.attnum, a.attname
      FROM ({tables}) AS t
      JOIN pg_partitioned_table AS p ON p.partrelid = t.relid
      JOIN pg_depend AS d ON d.classid = 'pg_class'::regclass AND d.objid = t.relid
        AND d.objsubid > 0 AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.relid
        AND d.refobjsubid = 0 AND d.deptype = 'i'
      JOIN pg_attribute AS b ON b.attrelid = t.relid AND b.attnum = d.objsubid
      JOIN pg_attribute AS a ON a.attrelid = {root} AND a.attname = b.attname\
      """;

  /** Query for the columns that the UPDATE trigger compares, with their present names. */
  private static final String COMPARED =
      """
      SELECT a.attnum, a.attname
      FROM pg_trigger AS t
      JOIN pg_depend AS d ON d.classid = 'pg_trigger'::regclass AND d.objid = t.oid
        AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.tgrelid
      JOIN pg_attribute AS a ON a.attrelid = t.tgrelid AND a.attnum = d.refobjsubid
      WHERE t.tgrelid = {root} AND t.tgname = {moves} AND a.attnum > 0\
      """;

  /**
   * Returns the statements of one transaction that creates the triggers on the table and so on all
   * tables below it.
   */
  public List<String> create(TableName relation) {
    List<String> statements = new ArrayList<>(CaptureTriggers.PRUDENCE);
    String block =
        SqlTemplate.fill(
            CREATE,
            Map.ofEntries(
                Map.entry("table", Quoted.literal(relation.quoted())),
                Map.entry("relation", relation.quoted()),
                Map.entry(
                    "key_columns",
                    keyColumns("root", "SELECT p.relid FROM pg_partition_tree(root) AS p")),
                Map.entry("setting", setting()),
                Map.entry("foreign_code", ForeignCode.ofPartitionKeys("root")),
                Map.entry(VALUES, quoted(VALUES)),
                Map.entry(MOVES, quoted(MOVES))));
    statements.add(SqlTemplate.fill("DO {block}", Map.of("block", Quoted.dollars("rows", block))));
    statements.add(
        SqlTemplate.fill(
            COMPLETE,
            Map.of(
                "captures", names.captures(),
                "recorder", Quoted.literal(rule.recorder().value()),
                "captured", Quoted.literal(rule.table().logged()))));
    return statements;
  }

  /** Returns the statements of {@link #create}, for psql. */
  String script(TableName relation) {
    StringBuilder script = new StringBuilder();
    script.append("\n-- For each row of all partitions of ");
    script.append(Quoted.comment(relation.quoted())).append(".\nBEGIN;\n");
    create(relation).forEach(statement -> script.append(statement).append(";\n"));
    return script.append("COMMIT;\n").toString();
  }

  private static String keyColumns(String root, String tables) {
    return SqlTemplate.fill(KEY_COLUMNS, Map.of("root", root, "tables", tables));
  }

  private static final String DROP =
      """
      DECLARE
        ours record;
      BEGIN
        FOR ours IN SELECT t.tgname, t.tgrelid::regclass AS relation FROM pg_trigger AS t
            WHERE t.tgname IN ({names}) AND t.tgparentid = 0
              AND t.tgrelid IN (SELECT coalesce((SELECT c.oid FROM pg_class AS c
                WHERE c.oid = k.relation), to_regclass({table}))
                FROM {captures} AS k WHERE k.recorder = {recorder} AND k.captured = {captured})
        LOOP
          EXECUTE format('DROP TRIGGER %I ON %s', ours.tgname, ours.relation);
        END LOOP;
      END\
      """;

  /**
   * Returns the statement that drops the triggers. It must run before the capture's row is deleted,
   * which identifies the table.
   */
  String drop() {
    String block =
        SqlTemplate.fill(
            DROP,
            Map.of(
                "names",
                String.join(", ", literal(VALUES), literal(MOVES)),
                "captures",
                names.captures(),
                "table",
                Quoted.literal(rule.table().quoted()),
                "recorder",
                Quoted.literal(rule.recorder().value()),
                "captured",
                Quoted.literal(rule.table().logged())));
    return SqlTemplate.fill("DO {block}", Map.of("block", Quoted.dollars("rows", block)));
  }

  private static final String CHECK =
      """
      IF TG_OP = 'UPDATE' THEN
        -- That of a cascade is deeper than the statement that its triggers fire in.
        IF current_setting({setting} || pg_trigger_depth(), true) <> '' THEN
          PERFORM set_config({setting} || pg_trigger_depth(), '', true);
        END IF;
        counted := current_setting({setting} || (pg_trigger_depth() - 1), true);
        IF counted <> '' THEN
          PERFORM set_config({setting} || (pg_trigger_depth() - 1), '', true);
          -- Where they differ, a trigger has refused rows that an UPDATE moved.
          IF (SELECT count(*) FROM old_rows) = (SELECT count(*) FROM new_rows) THEN
            EXECUTE (SELECT format($pairs$
                SELECT count(*) < $1 FROM (SELECT row_number() OVER () AS ordinal,
                    ROW(%1$s) AS key FROM old_rows) AS o
                FULL JOIN (SELECT row_number() OVER () AS ordinal,
                    ROW(%1$s) AS key FROM new_rows) AS n ON n.ordinal = o.ordinal
                WHERE record_image_ne(o.key, n.key)$pairs$,
                string_agg(format('%I', k.attname), ', ' ORDER BY k.attnum))
              FROM ({compared}) AS k)
              INTO is_moved USING counted::bigint;
            IF is_moved THEN
              INSERT INTO {detached} (recorder, captured, relation)
              SELECT d.* FROM (SELECT {recorder}, {captured}, capture.root)
                AS d (recorder, captured, relation)
              WHERE NOT EXISTS (SELECT FROM {detached} AS n WHERE n.recorder = d.recorder
                AND n.captured = d.captured AND n.relation = d.relation);
            END IF;
          END IF;
        END IF;
      END IF;""";

  /**
   * Returns the statements of the triggers' function that note rows moved by MERGE, each with its
   * semicolon.
   */
  String check() {
    return SqlTemplate.fill(
        CHECK,
        Map.of(
            "setting",
            setting(),
            "detached",
            names.detachedChanges(),
            "recorder",
            Quoted.literal(rule.recorder().value()),
            "captured",
            Quoted.literal(rule.table().logged()),
            "compared",
            SqlTemplate.fill(COMPARED, Map.of("root", RelationGuard.ROOT, MOVES, literal(MOVES)))));
  }

  private static final String LACKING =
      """
      (EXISTS (SELECT FROM ({tables}) AS b JOIN pg_class AS c ON c.oid = b.relid AND c.relkind <> 'f'
          CROSS JOIN unnest(ARRAY[{values}, CASE WHEN {has_merge} THEN {moves} END]) AS n (name)
          WHERE n.name IS NOT NULL AND NOT EXISTS (SELECT FROM pg_trigger AS t
            WHERE t.tgrelid = b.relid AND t.tgname = n.name AND t.tgenabled IN ('O', 'A')))
        OR {has_merge} AND (SELECT array_agg(k.attname ORDER BY k.attnum) FROM ({key_columns}) AS k)
            IS DISTINCT FROM
            (SELECT array_agg(k.attname ORDER BY k.attnum) FROM ({compared}) AS k))""";

  /** SQL condition: the server has MERGE. */
  public static final String HAS_MERGE = "current_setting('server_version_num')::int >= 150000";

  /**
   * Returns the SQL condition that a partitioned table, or a table below it, lacks an enabled row
   * trigger, or that the UPDATE trigger compares other columns than the present partition keys.
   *
   * @param root SQL expression of the partitioned table's oid
   * @param recorder SQL expression of the recorder's name
   * @param tables query for {@code relid} of the table and of all tables below it
   */
  public static String areLacking(String root, String recorder, String tables) {
    String moves = named(MOVES, recorder);
    return SqlTemplate.fill(
        LACKING,
        Map.of(
            "tables",
            tables,
            "has_merge",
            HAS_MERGE,
            MOVES,
            moves,
            VALUES,
            named(VALUES, recorder),
            "key_columns",
            keyColumns(root, tables),
            "compared",
            SqlTemplate.fill(COMPARED, Map.of("root", root, MOVES, moves))));
  }

  /**
   * Returns the name of the last row trigger. It does not count changes that later triggers make.
   *
   * @param recorder SQL expression of the recorder's name
   */
  static String last(String recorder) {
    return named(MOVES, recorder);
  }

  private static String named(String what, String recorder) {
    return SqlTemplate.fill(
        "format({pattern}, {recorder})",
        Map.of(
            "pattern",
            Quoted.literal(CaptureTriggerNames.LAST.formatted("%s", what)),
            "recorder",
            recorder));
  }

  /**
   * Returns the prefix of the setting with the count. Each depth of nested triggers has its own
   * setting.
   */
  private String setting() {
    return Quoted.literal("recorder." + CaptureNames.functionName(rule) + "_" + MOVES + "_");
  }

  private static String name(RecorderName recorder, String what) {
    return CaptureTriggerNames.LAST.formatted(recorder, what);
  }

  private String quoted(String what) {
    return Quoted.identifier(name(rule.recorder(), what));
  }

  private String literal(String what) {
    return Quoted.literal(name(rule.recorder(), what));
  }
}
