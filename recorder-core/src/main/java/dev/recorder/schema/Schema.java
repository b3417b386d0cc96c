package dev.recorder.schema;

import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SQL that creates what the recorder needs, in order. Each statement may be run again.
 *
 * <p>Version {@value #VERSION}; {@code schema_info} holds the version that is in the database.
 */
public final class Schema {
  public static final int VERSION = 1;

  /** Group role whose members may hand rows over. */
  public static final String PRODUCERS = "recorder_producer";

  /**
   * Whoever may create in {@code public} could else have an administrator call functions and
   * operators of theirs, as whose arguments fit better than those of {@code pg_catalog}.
   */
  private static final String PINNED = "SET LOCAL search_path = pg_catalog, pg_temp";

  private final SchemaNames names;
  private final LockTables locks;

  public Schema(SchemaNames names) {
    this.names = names;
    this.locks = new LockTables(names);
  }

  /**
   * Everything, for an administrator to run in psql as it is, as often as they like.
   *
   * @param role the one role of all machines
   */
  public String script(String role, List<HandoffTable> handoff) {
    StringBuilder script = new StringBuilder();
    section(script, "Everything below may be run again. Version " + VERSION, List.of("BEGIN"));
    section(script, "Nothing that others have made in schema public is called", List.of(PINNED));
    section(
        script,
        "No producer waits longer for it; if it fails for that, run it again later",
        List.of("SET LOCAL lock_timeout = '1s'"));
    section(script, "The role of all machines, not a superuser; give it a password", roles(role));
    section(
        script, "The recorder's own schema and the one that applications insert into", schemas());
    section(script, "The recorder's own tables", tables());
    section(script, "Tables of locks between processes", locks.create());
    for (HandoffTable table : handoff) {
      section(script, "Rows for recorder " + table.recorder(), table.create(names));
    }
    section(script, "What the machines may do, and no more", grants(role));
    section(script, "What they may do with locks", locks.grants(quoted(role)));
    for (HandoffTable table : handoff) {
      section(
          script,
          "Who reads and who writes rows of " + table.recorder(),
          handoffGrants(table, role));
      statements(script, producerGrants(table));
    }
    section(
        script,
        "To let an application's role hand rows over: GRANT " + PRODUCERS + " TO its_role",
        List.of("COMMIT"));
    return script.toString();
  }

  /** Statements for an administrator, or a table's owner, to run in psql as they are. */
  public static String toRun(List<String> statements) {
    return "BEGIN;\n"
        + PINNED
        + ";\n"
        + statements.stream().map(statement -> statement + ";\n").collect(Collectors.joining())
        + "COMMIT;";
  }

  private static void section(StringBuilder script, String title, List<String> statements) {
    script.append(script.isEmpty() ? "" : "\n").append("-- ").append(title).append(".\n");
    statements(script, statements);
  }

  private static void statements(StringBuilder script, List<String> statements) {
    statements.forEach(statement -> script.append(statement).append(";\n"));
  }

  /** Schemas. */
  public List<String> schemas() {
    return List.of(
        "CREATE SCHEMA IF NOT EXISTS " + names.control(),
        "CREATE SCHEMA IF NOT EXISTS " + names.handoff());
  }

  /** Tables of the control schema. */
  public List<String> tables() {
    List<String> tables =
        new ArrayList<>(
            List.of(
                schemaInfo(),
                versionRow(),
                infoRecorders(),
                latestBeats(),
                lockRecorders(),
                slots(),
                exclusions(),
                takeovers()));
    tables.addAll(Incumbents.create(names));
    return tables;
  }

  /** Rights of {@code role}, the one role of all machines, on the control tables. */
  public List<String> grants(String role) {
    Map<String, String> pieces =
        Map.of("control", names.control(), "handoff", names.handoff(), "role", quoted(role));
    return Stream.of(
            "GRANT USAGE ON SCHEMA {control}, {handoff} TO {role}",
            "GRANT SELECT ON ALL TABLES IN SCHEMA {control} TO {role}",
            """
            GRANT INSERT, UPDATE ON {info_recorders}, {lock_recorders}, {incumbents}, {takeovers} \
            TO {role}""",
            "GRANT INSERT ON {slots}, {exclusions} TO {role}")
        .map(text -> Sql.in(names, text, pieces).text())
        .toList();
  }

  /** Right of {@code role} on a hand-off table. */
  List<String> handoffGrants(HandoffTable table, String role) {
    return List.of(table.grant(names, quoted(role)));
  }

  /** Rights of producers on a hand-off table. */
  public List<String> producerGrants(HandoffTable table) {
    List<String> grants = new ArrayList<>();
    grants.add("GRANT USAGE ON SCHEMA " + names.handoff() + " TO " + PRODUCERS);
    grants.addAll(table.grantToProducers(names));
    return grants;
  }

  /** Roles, for an administrator to run. */
  public List<String> roles(String role) {
    return List.of(
        createRole(role, "LOGIN"),
        createRole(PRODUCERS, "NOLOGIN"),
        block(
            "EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO %I',"
                + " pg_catalog.current_database(), "
                + dollarQuoted(role)
                + ");"));
  }

  private static String createRole(String role, String login) {
    return block(
        "CREATE ROLE "
            + quoted(role)
            + " "
            + login
            + "; EXCEPTION WHEN duplicate_object THEN NULL;");
  }

  /** A block of statements that may hold any text, such as a role's name with dollars in it. */
  static String block(String statements) {
    return "DO " + dollarQuoted(" BEGIN " + statements + " END ");
  }

  /** Means the same whatever {@code standard_conforming_strings} is. */
  private static String dollarQuoted(String text) {
    String tag = "$$";
    for (int i = 1; (text + "$").contains(tag); i++) {
      tag = "$q" + i + "$";
    }
    return tag + text + tag;
  }

  private static String quoted(String role) {
    return '"' + role.replace("\"", "\"\"") + '"';
  }

  private String schemaInfo() {
    return "CREATE TABLE IF NOT EXISTS " + names.table("schema_info") + " (version int NOT NULL)";
  }

  private String versionRow() {
    return """
        INSERT INTO %1$s (version) SELECT %2$d WHERE NOT EXISTS (SELECT FROM %1$s)"""
        .formatted(names.table("schema_info"), VERSION);
  }

  private String infoRecorders() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          name text PRIMARY KEY,
          beat bigint NOT NULL DEFAULT 1,
          update_time timestamptz NOT NULL,
          num_primary int NOT NULL,
          num_secondary int NOT NULL,
          active int[] NOT NULL DEFAULT '{}',
          able int[] NOT NULL DEFAULT '{}',
          primary_for int[] NOT NULL DEFAULT '{}',
          stuck int[] NOT NULL DEFAULT '{}',
          pid int NOT NULL,
          backend_start timestamptz NOT NULL,
          version text NOT NULL,
          config_hash text NOT NULL,
          config_sections json NOT NULL DEFAULT '{}'
        )"""
        .formatted(names.table("info_recorders"));
  }

  /**
   * The version of a machine's row with the highest beat is the one that counts. Whoever looks for
   * it here meets it first, however many old ones a dump or a standby holds back.
   */
  private String latestBeats() {
    return "CREATE INDEX IF NOT EXISTS info_recorders_latest ON "
        + names.table("info_recorders")
        + " (name, beat)";
  }

  private String lockRecorders() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          lock_id int PRIMARY KEY CHECK (lock_id BETWEEN 1 AND 998),
          recorder text NOT NULL UNIQUE,
          kind text NOT NULL DEFAULT 'log',
          log_uuid uuid NOT NULL DEFAULT gen_random_uuid(),
          log_created boolean NOT NULL DEFAULT false,
          holder text,
          holder_pid int,
          holder_backend_start timestamptz,
          last_holder text,
          epoch bigint NOT NULL DEFAULT 0,
          primary_up boolean NOT NULL DEFAULT false,
          begun_at timestamptz,
          released_at timestamptz,
          faults int NOT NULL DEFAULT 0,
          switch_to text,
          switch_why text CHECK (switch_why IN ('flip', 'operator', 'failback', 'stuck')),
          first_slot bigint NOT NULL DEFAULT 1,
          last_slot bigint NOT NULL DEFAULT 0,
          settled_at timestamptz,
          done_snapshot pg_snapshot NOT NULL DEFAULT '3:3:',
          open_snapshot pg_snapshot,
          open_xid xid8,
          open_id bigint,
          rebased_slot bigint NOT NULL DEFAULT 0,
          rebased_epoch bigint NOT NULL DEFAULT 0,
          layout json NOT NULL,
          paused_until timestamptz,
          pause_reason text,
          update_time timestamptz NOT NULL DEFAULT clock_timestamp(),
          CHECK ((switch_to IS NULL) = (switch_why IS NULL)),
          CHECK ((open_snapshot IS NULL) = (open_xid IS NULL)),
          CHECK ((open_snapshot IS NULL) = (open_id IS NULL))
        ) WITH (fillfactor = 50)"""
        .formatted(names.table("lock_recorders"));
  }

  private String slots() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          lock_id int NOT NULL,
          slot bigint NOT NULL,
          sha256 text NOT NULL,
          epoch bigint NOT NULL,
          writer text NOT NULL,
          window_from pg_snapshot,
          window_to pg_snapshot,
          window_complete boolean,
          row_count int NOT NULL,
          first_xid xid8 NOT NULL,
          first_id bigint NOT NULL,
          last_xid xid8 NOT NULL,
          last_id bigint NOT NULL,
          bytes bigint NOT NULL,
          planned_at timestamptz NOT NULL,
          PRIMARY KEY (lock_id, slot, sha256)
        )"""
        .formatted(names.table("slots"));
  }

  private String exclusions() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          lock_id int NOT NULL,
          slot bigint NOT NULL,
          xid xid8 NOT NULL,
          id bigint NOT NULL,
          PRIMARY KEY (lock_id, xid, id)
        )"""
        .formatted(names.table("exclusions"));
  }

  private String takeovers() {
    return """
        CREATE TABLE IF NOT EXISTS %s (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          at timestamptz NOT NULL DEFAULT clock_timestamp(),
          lock_id int NOT NULL,
          recorder text NOT NULL,
          reason text NOT NULL,
          from_machine text,
          to_machine text NOT NULL,
          from_epoch bigint NOT NULL,
          to_epoch bigint NOT NULL,
          silence_ms bigint NOT NULL,
          gap_ms bigint,
          last_slot bigint NOT NULL,
          first_slot bigint NOT NULL,
          detail text
        )"""
        .formatted(names.table("takeovers"));
  }
}
