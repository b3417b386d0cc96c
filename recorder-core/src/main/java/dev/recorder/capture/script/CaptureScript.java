package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedColumn;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.TableName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The SQL that captures a table's changes in a log.
 *
 * @param machines the role of all machines
 */
public record CaptureScript(
    CaptureNames names, CapturedTable table, CaptureRule rule, String machines)
    implements TableScript {
  /** How long writers wait behind a statement that waits itself. */
  public static final String LOCK_TIMEOUT = "1s";

  /** Statements with what they are for. */
  record Section(String title, List<String> statements) {}

  @Override
  public List<String> statements() {
    return sections().stream().flatMap(section -> section.statements().stream()).toList();
  }

  @Override
  public String text() {
    return text(sections(), this);
  }

  /** The table itself, then each below it. */
  static String text(List<Section> sections, TableScript all) {
    StringBuilder script = new StringBuilder(text(sections));
    all.partitions().forEach(partition -> script.append(all.triggers().script(partition)));
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
  public List<TableName> partitions() {
    return table.relations().stream().skip(1).toList();
  }

  @Override
  public CaptureTriggers triggers() {
    return new CaptureTriggers(
        rule.recorder(), names.function(rule), CaptureTriggers.Purpose.CHANGES);
  }

  private List<Section> sections() {
    return List.of(
        safely(),
        new Section("Owns the triggers' function, and may do nothing else", role()),
        new Section("What is captured, and the numbers of the changes' statements", tables()),
        new Section(
            "Captures " + rule.table().quoted() + " for recorder " + rule.recorder(),
            List.of(new CaptureFunction(names, table, rule).create(), revoke(function()))),
        new Section("From here on its writers wait until COMMIT", triggers().create(rule.table())),
        new Section("The log begins with its columns", List.of(schemaRow(), entry())),
        new Section("What the function may do", rights()));
  }

  static Section safely() {
    return new Section(
        "Nothing of others in schema public is called; nobody waits longer for it",
        List.of(
            "SET LOCAL search_path = pg_catalog, pg_temp",
            "SET LOCAL client_min_messages = warning", // of what is there already
            lockTimeout()));
  }

  /** Nobody waits longer for what follows in the transaction. */
  static String lockTimeout() {
    return SqlTemplate.fill(
        "SET LOCAL lock_timeout = {most}", Map.of("most", Quoted.literal(LOCK_TIMEOUT)));
  }

  /** Nobody but its owner may call it. */
  static String revoke(String function) {
    return SqlTemplate.fill(
        "REVOKE ALL ON FUNCTION {function} FROM PUBLIC", Map.of("function", function));
  }

  private static final String CREATE_ROLE =
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {name}) THEN
          CREATE ROLE {role} NOLOGIN;
        END IF;
        IF NOT pg_has_role({name}, 'USAGE') THEN
          GRANT {role} TO CURRENT_USER;
        END IF;
      END $$""";

  static List<String> role() {
    return List.of(
        SqlTemplate.fill(
            CREATE_ROLE,
            Map.of("role", CaptureNames.ROLE, "name", Quoted.literal(CaptureNames.ROLE))));
  }

  /** {@code told} is the fingerprint of the columns that the log was told last. */
  private static final String CAPTURES =
      """
      CREATE TABLE IF NOT EXISTS {captures} (
        recorder text NOT NULL,
        captured text NOT NULL,
        schema_name text NOT NULL,
        table_name text NOT NULL,
        function_name text NOT NULL,
        only_columns text[] NOT NULL,
        except_columns text[] NOT NULL,
        when_sql text,
        key_sql text,
        entity_sql text,
        old text NOT NULL,
        key_columns text[] NOT NULL,
        told text NOT NULL,
        since timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (recorder, captured)
      )""";

  /** To a table of an early build; a role that does not own it must not be stopped by it. */
  private static final String ENTITY_SQL =
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = {relation}::regclass AND attname = 'entity_sql') THEN
          ALTER TABLE {captures} ADD COLUMN entity_sql text;
        END IF;
      END $$""";

  /** The statements that create the table of captures. */
  static List<String> captures(CaptureNames names) {
    Map<String, String> pieces =
        Map.of("captures", names.captures(), "relation", Quoted.literal(names.captures()));
    return List.of(
        SqlTemplate.fillFromShared(CAPTURES, pieces),
        SqlTemplate.fillFromShared(ENTITY_SQL, pieces));
  }

  private static final String SEQUENCE =
      "CREATE SEQUENCE IF NOT EXISTS {sequence} AS bigint CACHE 1 NO CYCLE";

  private List<String> tables() {
    List<String> tables = new ArrayList<>(captures(names));
    tables.add(SnapshotStatements.table(names));
    tables.add(SqlTemplate.fill(SEQUENCE, Map.of("sequence", sequence())));
    return tables;
  }

  private String schemaRow() {
    return new SchemaRowStatement(names, rule, relation()).sql();
  }

  private static final String ENTRY =
      """
      INSERT INTO {captures} AS c (recorder, captured, schema_name, table_name, function_name,
        only_columns, except_columns, when_sql, key_sql, entity_sql, old, key_columns, told)
      VALUES ({recorder}, {captured}, {schema}, {name}, {function},
        {only}, {except}, {when}, {key}, {entity}, {old}, {key_columns},
        {told}::text)
      ON CONFLICT (recorder, captured) DO UPDATE SET schema_name = excluded.schema_name,
        table_name = excluded.table_name, function_name = excluded.function_name,
        only_columns = excluded.only_columns, except_columns = excluded.except_columns,
        when_sql = excluded.when_sql, key_sql = excluded.key_sql,
        entity_sql = excluded.entity_sql, old = excluded.old, key_columns = excluded.key_columns, told = excluded.told, since = excluded.since""";

  private String entry() {
    return entry(names, rule, table.key(), ColumnQuery.fingerprint(relation()));
  }

  /**
   * The row that says what is captured.
   *
   * @param told SQL expression of the fingerprint of the columns that the log was told
   */
  static String entry(CaptureNames names, CaptureRule rule, List<CapturedColumn> key, String told) {
    CaptureOptions options = rule.options();
    return SqlTemplate.fill(
        ENTRY,
        Map.ofEntries(
            Map.entry("captures", names.captures()),
            Map.entry("recorder", Quoted.literal(rule.recorder().value())),
            Map.entry("captured", Quoted.literal(rule.table().logged())),
            Map.entry("schema", Quoted.literal(rule.table().schema())),
            Map.entry("name", Quoted.literal(rule.table().name())),
            Map.entry("function", Quoted.literal(CaptureNames.functionName(rule))),
            Map.entry("only", Quoted.array(options.columns().only())),
            Map.entry("except", Quoted.array(options.columns().except())),
            Map.entry("when", Quoted.literalOrNull(options.when())),
            Map.entry("key", Quoted.literalOrNull(options.key())),
            Map.entry("entity", Quoted.literalOrNull(options.entity())),
            Map.entry("old", Quoted.literal(options.old().word())),
            Map.entry("key_columns", Quoted.array(key.stream().map(CapturedColumn::name).toList())),
            Map.entry("told", told)));
  }

  /** An owner must be able to create in the schema, but only while it becomes one. */
  private List<String> rights() {
    Map<String, String> pieces =
        Map.of(
            "role", CaptureNames.ROLE,
            "control", names.schemas().control(),
            "handoff", names.schemas().handoff(),
            "table", names.schemas().handoffTable(rule.recorder()),
            "sequence", sequence(),
            "captures", names.captures(),
            "snapshots", names.snapshots(),
            "function", function(),
            "machines", Quoted.identifier(machines));
    return Stream.of(
            "GRANT USAGE ON SCHEMA {control}, {handoff} TO {role}",
            "GRANT INSERT (key, payload) ON {table} TO {role}",
            "GRANT USAGE ON SEQUENCE {sequence} TO {role}",
            "GRANT SELECT, UPDATE (told) ON {captures} TO {role}",
            "GRANT SELECT ON {captures} TO {machines}",
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

  private String relation() {
    return Quoted.literal(rule.table().quoted()) + "::regclass";
  }
}
