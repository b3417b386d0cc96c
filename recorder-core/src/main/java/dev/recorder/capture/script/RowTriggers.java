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
 * The triggers for each row that a partitioned table has besides, and its partitions by it, new
 * ones, too. None ever calls its function, which is one that everybody may call: who creates a
 * partition needs no right for it. Their conditions alone do something.
 *
 * <p>The one of INSERT is there, which is enough: without any, the server hands over rows whose
 * stored generated columns are NULL, if the partition has its columns in other places.
 *
 * <p>The other two are of MERGE. A row that it moves to another partition is in the transition
 * tables of DELETE and INSERT, whose triggers fire only if it has such actions: it would be missing
 * in the log. One that UPDATE moves is in those of UPDATE. So before an update of a partition key
 * the row and both keys are noted, and if the row is deleted then, it moves; and the function of
 * the triggers for UPDATE lets the statement fail if it has no such pair.
 *
 * <p>To create one locks all partitions, so that this comes last, by itself.
 */
public record RowTriggers(CaptureNames names, CaptureRule rule) {
  /** What a function notes of it for itself. */
  static final String DECLARATION = "moved text;\n  is_there boolean;";

  private static final String VALUES = "values";
  private static final String MOVES = "moves";
  private static final String MOVED = "moved";

  private static final String CREATE =
      """
      DECLARE
        root CONSTANT regclass := to_regclass({table});
        old_key text;
        new_key text;
      BEGIN
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
          WHEN (record_send(ROW(%1$s)) <> record_send(ROW(%2$s)) AND set_config(
            {moves_setting} || pg_trigger_depth(), concat_ws(' ', OLD.tableoid, OLD.ctid,
            encode(record_send(ROW(%1$s)), 'hex'), encode(record_send(ROW(%2$s)), 'hex')), true) IS NULL)
          EXECUTE FUNCTION suppress_redundant_updates_trigger()$t$, old_key, new_key);
        CREATE OR REPLACE TRIGGER {moved} AFTER DELETE ON {relation} FOR EACH ROW
          WHEN (starts_with(current_setting({moves_setting} || pg_trigger_depth(), true),
            concat_ws(' ', OLD.tableoid, OLD.ctid, '')) AND set_config(
            {moved_setting} || pg_trigger_depth(),
            current_setting({moves_setting} || pg_trigger_depth()), true) IS NULL)
          EXECUTE FUNCTION suppress_redundant_updates_trigger();
      END\
      """;

  /** The columns of the key by which a table, and those below it, are partitioned. */
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

  /** The columns that the trigger compares, as it has them, whatever they are called now. */
  private static final String COMPARED =
      """
      SELECT a.attnum, a.attname
      FROM pg_trigger AS t
      JOIN pg_depend AS d ON d.classid = 'pg_trigger'::regclass AND d.objid = t.oid
        AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.tgrelid
      JOIN pg_attribute AS a ON a.attrelid = t.tgrelid AND a.attnum = d.refobjsubid
      WHERE t.tgrelid = {root} AND t.tgname = {moves} AND a.attnum > 0\
      """;

  /** For one transaction: on the table, and so on all below it. */
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
                Map.entry("moves_setting", setting(MOVES)),
                Map.entry("moved_setting", setting(MOVED)),
                Map.entry(VALUES, quoted(VALUES)),
                Map.entry(MOVES, quoted(MOVES)),
                Map.entry(MOVED, quoted(MOVED))));
    statements.add(SqlTemplate.fill("DO {block}", Map.of("block", Quoted.dollars("rows", block))));
    return statements;
  }

  /** The same for psql. */
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

  /** Takes them off, while it is noted still which table it is. */
  String drop() {
    String block =
        SqlTemplate.fill(
            DROP,
            Map.of(
                "names",
                String.join(", ", literal(VALUES), literal(MOVES), literal(MOVED)),
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
        moved := current_setting({setting} || (pg_trigger_depth() - 1), true);
        IF moved <> '' THEN
          PERFORM set_config({setting} || (pg_trigger_depth() - 1), '', true);
          EXECUTE (SELECT format($pairs$
              SELECT EXISTS (
                SELECT FROM (SELECT row_number() OVER () AS place,
                    encode(record_send(ROW(%1$s)), 'hex') AS key FROM old_rows) AS o
                FULL JOIN (SELECT row_number() OVER () AS place,
                    encode(record_send(ROW(%1$s)), 'hex') AS key FROM new_rows) AS n USING (place)
                WHERE o.key = $1 AND n.key = $2)$pairs$,
              string_agg(format('%I', k.attname), ', ' ORDER BY k.attnum))
            FROM ({compared}) AS k)
            INTO is_there USING split_part(moved, ' ', 3), split_part(moved, ' ', 4);
          IF NOT is_there THEN
            RAISE feature_not_supported USING
              MESSAGE = format('MERGE moves a row of table %s to another partition, and a capture of'
                ' it would miss that', capture.root::regclass),
              HINT = 'Move rows by UPDATE, which is captured.';
          END IF;
        END IF;
      END IF;""";

  /** Statements of the triggers' function, each ended. */
  String check() {
    return SqlTemplate.fill(
        CHECK,
        Map.of(
            "setting",
            setting(MOVED),
            "compared",
            SqlTemplate.fill(COMPARED, Map.of("root", RelationGuard.ROOT, MOVES, literal(MOVES)))));
  }

  private static final String LACKING =
      """
      (NOT EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = {root} AND t.tgname = {values})
        OR current_setting('server_version_num')::int >= 150000
          AND ((SELECT array_agg(k.attname ORDER BY k.attnum) FROM ({key_columns}) AS k)
              IS DISTINCT FROM
              (SELECT array_agg(k.attname ORDER BY k.attnum) FROM ({compared}) AS k)
            OR NOT EXISTS (SELECT FROM pg_trigger AS t
              WHERE t.tgrelid = {root} AND t.tgname = {moved})))""";

  /**
   * Whether a partitioned table has not all of them, as the key columns of its partitions are now.
   *
   * @param root SQL expression of its oid
   * @param recorder SQL expression of the recorder's name
   * @param tables query of {@code relid}, the table and those below it
   */
  public static String areLacking(String root, String recorder, String tables) {
    String moves = named(MOVES, recorder);
    return SqlTemplate.fill(
        LACKING,
        Map.of(
            "root",
            root,
            VALUES,
            named(VALUES, recorder),
            MOVED,
            named(MOVED, recorder),
            "key_columns",
            keyColumns(root, tables),
            "compared",
            SqlTemplate.fill(COMPARED, Map.of("root", root, MOVES, moves))));
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

  private String setting(String what) {
    return Quoted.literal("recorder." + CaptureNames.functionName(rule) + "_" + what + "_");
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
