package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.PinnedColumns;
import dev.recorder.capture.PinnedRelation;
import dev.recorder.postgres.sql.PsqlPreamble;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.DefaultPrivileges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The SQL that captures a table's changes in a log.
 *
 * @param machines the database role of all hosts
 */
public record CaptureScript(
    CaptureNames names, CapturedTable table, CaptureRule rule, String machines)
    implements TableScript {
  /** How long a statement waits for a lock, and so how long writers wait behind it. */
  public static final String LOCK_TIMEOUT = "1s";

  /** Statements, and a title that states their purpose. */
  record Section(String title, List<String> statements) {}

  @Override
  public List<String> statements() {
    return sections().stream().flatMap(section -> section.statements().stream()).toList();
  }

  @Override
  public String text() {
    return text(sections(), this);
  }

  /** Returns the script for psql: the table itself, then the tables below it, then strays. */
  static String text(List<Section> sections, TableScript all) {
    StringBuilder script = new StringBuilder(PsqlPreamble.BEGINNING + text(sections));
    all.relation().partitions().forEach(each -> script.append(all.triggers().script(each)));
    if (all.relation().isPartitioned()) {
      script.append(all.rowTriggers().script(all.relation().name()));
    }
    all.relation().strays().forEach(each -> script.append(all.triggers().disarmingScript(each)));
    return script.toString();
  }

  private static String text(List<Section> sections) {
    StringBuilder script = new StringBuilder("BEGIN;\n");
    for (Section section : sections) {
      script.append("\n-- ").append(Quoted.comment(section.title())).append(".\n");
      section.statements().forEach(statement -> script.append(statement).append(";\n"));
    }
    return script.append("\nCOMMIT;\n").toString();
  }

  @Override
  public PinnedRelation relation() {
    return table.relation();
  }

  @Override
  public CaptureTriggers triggers() {
    return new CaptureTriggers(
        rule.recorder(), names.function(rule), CaptureTriggers.Purpose.CHANGES);
  }

  private List<Section> sections() {
    String setUp = Quoted.literal(UUID.randomUUID().toString());
    return List.of(
        safely(),
        new Section("Owns the triggers' function, and may do nothing else", role()),
        new Section("What is captured, and the numbers of the changes' statements", tables()),
        new Section(
            "Captures " + rule.table().quoted() + " for recorder " + rule.recorder(),
            List.of(
                new CaptureFunction(names, table, rule, setUp).create(),
                DefaultPrivileges.ofFunction(function()))),
        new Section("From here on its writers wait until COMMIT", arming(this)),
        new Section(
            "The log begins with its columns",
            begun(
                this,
                entry(setUp),
                List.of(toldNothing(), nothingDetached(this), schemaRow(setUp)))),
        new Section("What the function may do", rights()));
  }

  private static final String IS_STILL =
      """
      BEGIN
        IF to_regclass({table}) IS DISTINCT FROM {oid}::regclass THEN
          RAISE undefined_table USING
            MESSAGE = format('table %s is another one than when this was made', {table}),
            HINT = 'Make it again, by the same command.';
        END IF;
      END\
      """;

  /** Returns the statements that write the capture's row and note changes lost so far. */
  static List<String> begun(TableScript all, String entry, List<String> rest) {
    return Stream.of(List.of(entry), StaleMark.afterSettingUp(all), rest)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Returns the statements that create the table's triggers, and check that the table is the one
   * that the function was made for.
   */
  static List<String> arming(TableScript all) {
    PinnedRelation relation = all.relation();
    String isStill =
        SqlTemplate.fill(
            IS_STILL,
            Map.of(
                "table", Quoted.literal(relation.name().quoted()),
                "oid", Long.toString(relation.oid())));
    List<String> arming = new ArrayList<>(all.triggers().create(relation.name()));
    arming.add(SqlTemplate.fill("DO {block}", Map.of("block", Quoted.dollars("still", isStill))));
    return arming;
  }

  static Section safely() {
    List<String> statements = new ArrayList<>();
    statements.add("SET LOCAL search_path = pg_catalog, pg_temp");
    statements.addAll(TriggerFunction.texts());
    statements.add("SET LOCAL client_min_messages = warning"); // no notices of existing objects
    statements.add(lockTimeout());
    return new Section(
        "Nothing of others in schema public is called; nobody waits longer for it", statements);
  }

  /** Returns the statement that limits the waits of the transaction for locks. */
  static String lockTimeout() {
    return SqlTemplate.fill(
        "SET LOCAL lock_timeout = {most}", Map.of("most", Quoted.literal(LOCK_TIMEOUT)));
  }

  /**
   * Tolerates a concurrent set-up of another database of the server, since databases share roles.
   */
  private static final String CREATE_ROLE =
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {name}) THEN
          BEGIN
            CREATE ROLE {role} NOLOGIN;
          EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- Somebody was quicker.
          END;
        END IF;
        IF NOT pg_has_role({name}, 'USAGE') THEN
          BEGIN
            GRANT {role} TO CURRENT_USER;
          EXCEPTION WHEN unique_violation THEN NULL;
          END;
        END IF;
      END $$\
      """;

  static List<String> role() {
    return role(CaptureNames.ROLE);
  }

  static List<String> role(String name) {
    return List.of(
        SqlTemplate.fill(CREATE_ROLE, Map.of("role", name, "name", Quoted.literal(name))));
  }

  /**
   * The table of captures. {@code relation}: oid of the captured table. {@code stale_at}: since
   * when copies need a snapshot. {@code stale_why}: the finding that caused this; NULL if another
   * table was captured before, or values may have changed without a trigger. {@code set_up}: a text
   * unique to this set-up. {@code named_columns}: the columns that the expressions name. {@code
   * is_complete}: the last transaction of a set-up was done once. {@code key_numbers} and {@code
   * fingerprint}: key and hash of the columns that the function knows. {@code only_numbers} and
   * {@code except_numbers}: see {@link PinnedColumns}.
   */
  private static final String CAPTURES =
      """
      CREATE TABLE IF NOT EXISTS {captures} (
        recorder text NOT NULL,
        captured text NOT NULL,
        schema_name text NOT NULL,
        table_name text NOT NULL,
        relation oid NOT NULL,
        function_name text NOT NULL,
        only_columns text[] NOT NULL,
        except_columns text[] NOT NULL,
        when_sql text,
        key_sql text,
        entity_sql text,
        old text NOT NULL,
        key_numbers int[] NOT NULL,
        value_marks text[] NOT NULL,
        only_numbers int[] NOT NULL,
        except_numbers int[] NOT NULL,
        fingerprint bigint NOT NULL,
        stale_at timestamptz,
        stale_why text,
        set_up text,
        named_columns text[] NOT NULL,
        is_complete boolean NOT NULL,
        since timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (recorder, captured)
      )\
      """;

  /**
   * The table of notes on {@code schema} rows. Rows are only added, so that transactions that write
   * {@code schema} rows do not wait for each other. {@code key_numbers}: columns of the key. {@code
   * is_first}: the function knows these columns. {@code is_as_named}: the columns that the
   * expressions name are unchanged. {@code left_out} and {@code chosen}: left-out and captured
   * columns, both empty if all are captured.
   */
  private static final String TOLD_COLUMNS =
      """
      CREATE TABLE IF NOT EXISTS {told} (
        recorder text NOT NULL,
        captured text NOT NULL,
        set_up text NOT NULL,
        seq bigint NOT NULL,
        number bigint NOT NULL,
        is_first boolean NOT NULL,
        is_as_named boolean NOT NULL,
        fingerprint bigint NOT NULL,
        key_numbers int[] NOT NULL,
        chosen int[] NOT NULL,
        left_out int[] NOT NULL,
        PRIMARY KEY (recorder, captured, seq)
      )\
      """;

  /**
   * The table of relations that were changed while detached from their capture, or whose capture
   * was ended. Rows are only added, as in the table above.
   */
  private static final String DETACHED_CHANGES =
      """
      CREATE TABLE IF NOT EXISTS {detached} (
        recorder text NOT NULL,
        captured text NOT NULL,
        relation oid NOT NULL,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        PRIMARY KEY (recorder, captured, relation, xid)
      )\
      """;

  /** Returns the statements that create the table of captures and the tables beside it. */
  static List<String> captures(CaptureNames names) {
    return List.of(
        SqlTemplate.fill(CAPTURES, Map.of("captures", names.captures())),
        SqlTemplate.fill(TOLD_COLUMNS, Map.of("told", names.toldColumns())),
        SqlTemplate.fill(DETACHED_CHANGES, Map.of("detached", names.detachedChanges())),
        SnapshotStatements.table(names),
        DefaultPrivileges.ofRelations(
            List.of(
                names.captures(),
                names.toldColumns(),
                names.detachedChanges(),
                names.snapshots())));
  }

  private List<String> tables() {
    List<String> tables = new ArrayList<>(captures(names));
    tables.addAll(new CaptureSequence(sequence()).begin());
    String numbers = names.toldNumbers(rule);
    tables.add(
        SqlTemplate.fill("CREATE SEQUENCE IF NOT EXISTS {numbers}", Map.of("numbers", numbers)));
    tables.add(DefaultPrivileges.ofRelations(List.of(sequence(), numbers)));
    return tables;
  }

  private String schemaRow(String setUp) {
    return new SchemaRowStatement(
            names, rule, table.pins(), table.relation().oid() + "::oid", setUp)
        .first();
  }

  private String entry(String setUp) {
    return CaptureEntry.sql(
        this,
        setUp,
        table.pins(),
        table.key(),
        table.named(),
        table.expressions().called(),
        table.fingerprint());
  }

  /** A role needs CREATE on the schema to become a function's owner, but not afterwards. */
  private List<String> rights() {
    Map<String, String> pieces =
        Map.ofEntries(
            Map.entry("role", CaptureNames.ROLE),
            Map.entry("control", names.schemas().control()),
            Map.entry("handoff", names.schemas().handoff()),
            Map.entry("table", names.schemas().handoffTable(rule.recorder())),
            Map.entry("sequence", sequence()),
            Map.entry("numbers", names.toldNumbers(rule)),
            Map.entry("captures", names.captures()),
            Map.entry("told", names.toldColumns()),
            Map.entry("detached", names.detachedChanges()),
            Map.entry("snapshots", names.snapshots()),
            Map.entry("function", function()),
            Map.entry("machines", Quoted.identifier(machines)));
    return Stream.of(
            "GRANT USAGE ON SCHEMA {control}, {handoff} TO {role}",
            "GRANT SELECT (id, xid, payload), INSERT (key, payload) ON {table} TO {role}",
            "GRANT USAGE ON SEQUENCE {sequence} TO {role}",
            "GRANT SELECT, UPDATE ON SEQUENCE {sequence} TO {machines}",
            "GRANT SELECT ON {captures} TO {role}, {machines}",
            StaleMark.RIGHT,
            "GRANT SELECT, USAGE ON SEQUENCE {numbers} TO {role}, {machines}",
            "GRANT SELECT ON {detached} TO {machines}",
            "GRANT SELECT, INSERT ON {told} TO {role}, {machines}",
            "GRANT SELECT, INSERT ON {detached} TO {role}",
            "GRANT SELECT, INSERT, UPDATE ON {snapshots} TO {machines}",
            "GRANT CREATE ON SCHEMA {control} TO {role}",
            "ALTER FUNCTION {function} OWNER TO {role}",
            "REVOKE CREATE ON SCHEMA {control} FROM {role}")
        .map(grant -> SqlTemplate.fillFromShared(grant, pieces))
        .toList();
  }

  private String function() {
    return names.function(rule) + "()";
  }

  private String sequence() {
    return names.sequence(rule.recorder());
  }

  /**
   * Returns the statement that deletes the notes on detached relations. It must run after the loss
   * was noted in the table of captures.
   */
  static String nothingDetached(TableScript all) {
    return CaptureRemoval.forget(all.names().detachedChanges(), all.rule());
  }

  private String toldNothing() {
    return CaptureRemoval.forget(names.toldColumns(), rule);
  }
}
