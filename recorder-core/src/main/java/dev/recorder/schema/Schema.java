package dev.recorder.schema;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlTemplate;
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

  /** Owns the functions by which changes of tables are captured, and may do nothing else. */
  public static final String CAPTURE = "recorder_capture";

  /**
   * Whoever may create in {@code public} could else have an administrator call functions and
   * operators of theirs, as whose arguments fit better than those of {@code pg_catalog}.
   */
  private static final String PINNED = "SET LOCAL search_path = pg_catalog, pg_temp";

  /** That something is there already, or not there to be dropped, is nothing to look at. */
  private static final String QUIET = "SET LOCAL client_min_messages = warning";

  private static final String SHORT = "SET LOCAL lock_timeout = '1s'";

  private final SchemaNames names;
  private final LockTables locks;
  private final WaitFunction waiting;
  private final QueryFunction queries;

  public Schema(SchemaNames names) {
    this.names = names;
    this.locks = new LockTables(names);
    this.waiting = new WaitFunction(names);
    this.queries = new QueryFunction(names);
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
    section(script, "Notices of what exists already are left out", List.of(QUIET));
    section(
        script,
        "What is there already is not locked. For what is new, nobody waits longer; if it fails\n"
            + "-- for that, run it again later",
        List.of(SHORT));
    section(script, "The role of all machines, not a superuser; give it a password", roles(role));
    section(
        script, "The recorder's own schema and the one that applications insert into", schemas());
    section(script, "The recorder's own tables", tables());
    section(script, "What tells producers that their rows are recorded", waiting.create());
    section(script, "What machines state about themselves, for 'recorder status'", conditions());
    section(script, "Who paused recorders, for 'recorder pause'", pauses());
    section(script, "By which operators ask machines for something", orders());
    section(script, "What was found when logs were last verified on a schedule", verdicts());
    section(script, "Which stores have lost a race in their test", lostRaces());
    section(script, "Tables of locks between processes", locks.create());
    section(script, "What the machines may do, and no more", grants(role));
    statements(script, List.of(new PauseTable(names).grant(quoted(role))));
    section(script, "What they may do with locks", locks.grants(quoted(role)));
    section(script, "What producers may do with it", waiting.grantToProducers());
    section(
        script,
        "By which queries run that build documents: as "
            + QueryFunction.READERS
            + ", which needs SELECT\n-- on what they read, and USAGE of its schemas",
        queries.create(role));
    section(
        script,
        "To let an application's role hand rows over: GRANT " + PRODUCERS + " TO its_role",
        List.of("COMMIT"));
    handoff.forEach(table -> create(script, table, role));
    return script.toString();
  }

  /** A transaction for each, so that nobody who is held up by one waits for the others, too. */
  private void create(StringBuilder script, HandoffTable table, String role) {
    section(
        script, "Rows for recorder " + table.recorder(), List.of("BEGIN", PINNED, QUIET, SHORT));
    statements(script, table.create(names));
    section(
        script, "Who reads and who writes rows of " + table.recorder(), handoffGrants(table, role));
    statements(script, producerGrants(table));
    statements(script, List.of("COMMIT"));
  }

  /** Statements for an administrator, or a table's owner, to run in psql as they are. */
  public static String toRun(List<String> statements) {
    return Stream.of(List.of("BEGIN", PINNED), statements, List.of("COMMIT"))
        .flatMap(List::stream)
        .collect(Collectors.joining(";\n", "", ";"));
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
    return List.of(createSchema(names.control()), createSchema(names.handoff()));
  }

  private static final String CREATE_SCHEMA =
      """
      IF pg_catalog.to_regnamespace({text}) IS NULL THEN
        CREATE SCHEMA IF NOT EXISTS {name};
      END IF;\
      """;

  /** CREATE SCHEMA IF NOT EXISTS wants the right to create even where there is nothing to do. */
  static String createSchema(String name) {
    return block(
        SqlTemplate.fill(CREATE_SCHEMA, Map.of("text", Quoted.literal(name), "name", name)));
  }

  /** Tables of the control schema. */
  public List<String> tables() {
    return new ControlTables(names).create();
  }

  /** The table of the control schema without which everything is recorded all the same. */
  public List<String> conditions() {
    return new ControlTables(names).createConditions();
  }

  /** The table of the control schema without which no recorder can be paused. */
  public List<String> pauses() {
    return new PauseTable(names).create();
  }

  /** The tables of what operators ask of machines, without which everything is recorded, too. */
  public List<String> orders() {
    return Stream.of(
            new OrderTable(names, OrderTable.OrderContent.RELOAD).create(),
            new OrderTable(names, OrderTable.OrderContent.HOST).create(),
            new SwitchoverTable(names).create())
        .flatMap(List::stream)
        .toList();
  }

  /** The table of the control schema without which no log is verified on a schedule. */
  public List<String> verdicts() {
    return new VerdictTable(names).create();
  }

  /** The table of the control schema without which no host knows of a race that another saw. */
  public List<String> lostRaces() {
    return new LostRaceTable(names).create();
  }

  /** Rights of {@code role}, the one role of all machines, on the control tables. */
  public List<String> grants(String role) {
    Map<String, String> pieces =
        Map.of("control", names.control(), "handoff", names.handoff(), "role", quoted(role));
    Stream<String> grants =
        Stream.of(
            "GRANT USAGE ON SCHEMA {control}, {handoff} TO {role}",
            "GRANT SELECT ON ALL TABLES IN SCHEMA {control} TO {role}",
            """
            GRANT INSERT, UPDATE ON {info_recorders}, {lock_recorders}, {incumbents}, {takeovers}, \
            {blocks} TO {role}\
            """,
            "GRANT INSERT ON {slots}, {exclusions} TO {role}",
            "GRANT DELETE ON {slots}, {blocks} TO {role}",
            "GRANT INSERT, DELETE ON {folds} TO {role}",
            "GRANT INSERT, UPDATE ON {conditions} TO {role}");
    return Stream.concat(
            grants.map(text -> Sql.in(names, text, pieces).text()),
            Stream.of(
                new OrderTable(names, OrderTable.OrderContent.RELOAD).grant(quoted(role)),
                new OrderTable(names, OrderTable.OrderContent.HOST).grant(quoted(role)),
                new SwitchoverTable(names).grant(quoted(role)),
                new VerdictTable(names).grant(quoted(role)),
                new LostRaceTable(names).grant(quoted(role))))
        .toList();
  }

  /** Right of {@code role} on a hand-off table. */
  List<String> handoffGrants(HandoffTable table, String role) {
    return table.grants(names, quoted(role));
  }

  /** Rights of producers on a hand-off table. */
  public List<String> producerGrants(HandoffTable table) {
    List<String> grants = new ArrayList<>();
    grants.add(
        SqlTemplate.fill(
            "GRANT USAGE ON SCHEMA {handoff} TO {producers}",
            Map.of("handoff", names.handoff(), "producers", PRODUCERS)));
    grants.addAll(table.grantToProducers(names));
    return grants;
  }

  /** Roles, for an administrator to run. */
  public List<String> roles(String role) {
    return List.of(
        createRole(role, "LOGIN"),
        createRole(PRODUCERS, "NOLOGIN"),
        createRole(CAPTURE, "NOLOGIN"),
        createRole(QueryFunction.READERS, "NOLOGIN"),
        member(CAPTURE, role),
        member(QueryFunction.READERS, role),
        block(SqlTemplate.fill(CONNECT, Map.of("name", Quoted.dollars(role)))));
  }

  private static final String MEMBER =
      """
      IF NOT EXISTS (SELECT FROM pg_catalog.pg_auth_members
          WHERE roleid = '{group}'::pg_catalog.regrole AND member =
            (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = {name})) THEN
        GRANT {group} TO {role};
      END IF;\
      """;

  private static String member(String group, String role) {
    return block(
        SqlTemplate.fill(
            MEMBER, Map.of("group", group, "name", Quoted.dollars(role), "role", quoted(role))));
  }

  private static final String CONNECT =
      """
      IF NOT EXISTS (SELECT FROM pg_catalog.pg_database d, pg_catalog.aclexplode(d.datacl) a
          WHERE d.datname = pg_catalog.current_database() AND a.privilege_type = 'CONNECT'
            AND a.grantee = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = {name})) THEN
        EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO %I', \
      pg_catalog.current_database(), {name});
      END IF;\
      """;

  /** Rights to make roles are asked for before it is looked whether there is one. */
  private static final String CREATE_ROLE =
      """
      IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = {name}) THEN
        CREATE ROLE {role} {login};
      END IF; EXCEPTION WHEN duplicate_object THEN NULL;\
      """;

  private static String createRole(String role, String login) {
    return block(
        SqlTemplate.fill(
            CREATE_ROLE,
            Map.of("name", Quoted.dollars(role), "role", quoted(role), "login", login)));
  }

  /** A block of statements that may hold any text, such as a role's name with dollars in it. */
  static String block(String statements) {
    String body = SqlTemplate.fill(" BEGIN {statements} END ", Map.of("statements", statements));
    return SqlTemplate.fill("DO {body}", Map.of("body", Quoted.dollars(body)));
  }

  private static String quoted(String role) {
    return Quoted.identifier(role);
  }
}
