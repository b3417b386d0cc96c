package dev.recorder.postgres.settings;

import static dev.recorder.postgres.settings.SessionKind.ASK;
import static dev.recorder.postgres.settings.SessionKind.CONTROL;
import static dev.recorder.postgres.settings.SessionKind.DATA;
import static dev.recorder.postgres.settings.SessionKind.DOCUMENT;
import static dev.recorder.postgres.settings.SessionKind.LISTEN;
import static dev.recorder.postgres.settings.SessionKind.LOCKS;
import static dev.recorder.postgres.settings.SessionKind.LOCK_ROWS;
import static dev.recorder.postgres.settings.SessionKind.PEER;
import static dev.recorder.postgres.settings.SessionKind.QUERY;
import static dev.recorder.postgres.settings.SessionKind.REPLAY;
import static dev.recorder.postgres.settings.SessionKind.WORKER;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings of each kind of session. Other settings are the server's, and a session works with
 * any value of them. {@link SettingOverrides} has the settings that some sessions change later.
 *
 * <p>There are four time limits, because each covers a case that the others do not. {@code
 * lock_timeout} limits the wait for a lock. {@code statement_timeout} limits a long statement; it
 * is shorter than the client's wait for the answer, so that the outcome is known. The socket's
 * time-out covers a network without answers. The server's idle limits cover a stopped host.
 *
 * <p>Planner settings force an index where statistics may mislead: a table that was just filled has
 * none, and its rows are needed now.
 */
public final class SessionSettings {
  private static final SessionKind[] ALL = SessionKind.values();

  private final SessionKind kind;
  private final Map<String, String> values = new LinkedHashMap<>();

  private SessionSettings(SessionKind kind) {
    this.kind = kind;
  }

  /**
   * The values from which a session's limits are computed.
   *
   * @param network longest wait for an answer on the control session, or for {@code ASK} on its own
   *     session
   * @param idle the server ends a session with locks that is idle for longer
   * @param own for a worker: how long its transactions may be idle; for a session for locks or
   *     queries: how long a statement may wait for a lock, if not 0; unused otherwise
   */
  public record SessionLimits(Duration network, Duration idle, Duration own) {}

  public static SessionSettings of(SessionKind kind, SessionLimits limits) {
    SessionSettings settings = new SessionSettings(kind);
    settings.all();
    settings.limits(kind.answerWithin(limits.network()).toMillis(), limits);
    settings.planner();
    settings.texts();
    return settings;
  }

  /** Settings that some servers do not know. */
  private static final Set<String> OF_SOME_SERVERS =
      Set.of("transaction_timeout", "restrict_nonsystem_relation_kind");

  /** Adds the name by which all hosts know the database, and returns these settings. */
  public SessionSettings in(String reachedAs) {
    set("recorder.database", reachedAs, ALL);
    return this;
  }

  private void all() {
    // Rights, and the right to end sessions, belong to the role that logs in. Replayed tables
    // belong to the role that the replay is given.
    set("role", "none", allBut(REPLAY));
    // Foreign functions and operators in schema public must not run with the recorder's rights.
    set("search_path", "pg_catalog, pg_temp", ALL);
    // Compiling costs a second where a statement takes a millisecond: planner settings that forbid
    // something raise a plan's cost over the threshold.
    set("jit", "off", ALL);
    // Defaults that a role or database may have changed; statements rely on this one.
    set("default_transaction_isolation", "read committed", ALL);
    // A policy must not hide rows: a query fails instead.
    set("row_security", "off", ALL);
    // The server's defaults: NULL within an array is a null, and names of types are not quoted.
    set("array_nulls", "on", ALL);
    set("transform_null_equals", "off", ALL);
    set("quote_all_identifiers", "off", ALL);
    set("default_transaction_deferrable", "off", ALL);
    // A failing statement must not end the session: failures are expected, and its locks matter.
    set("exit_on_error", "off", ALL);
    // Users' queries may use views.
    set("restrict_nonsystem_relation_kind", "", ALL);
    // A limit would truncate the results of an index.
    set("gin_fuzzy_search_limit", 0, ALL);
    // The driver keeps messages until the session ends.
    set("client_min_messages", "warning", ALL);
  }

  private void limits(long answer, SessionLimits limits) {
    long network = limits.network().toMillis();
    long idle = limits.idle().toMillis();
    long own = limits.own().toMillis();

    set("lock_timeout", network / 4, CONTROL);
    set("lock_timeout", 2_000, DATA, WORKER, DOCUMENT, LISTEN);
    set("lock_timeout", own, LOCKS, QUERY, ASK); // 0: as long as the statement may take
    set("lock_timeout", answer / 2, LOCK_ROWS);
    set("lock_timeout", 60_000, REPLAY);
    set("lock_timeout", 0, PEER);

    set("statement_timeout", answer * 3 / 4, CONTROL, LOCKS, LOCK_ROWS);
    set("statement_timeout", answer * 9 / 10, DATA, WORKER, DOCUMENT, LISTEN, PEER, ASK);
    set("statement_timeout", 0, QUERY, REPLAY); // reading a whole log may take any time
    // A handler, a copy or a rebuilt table may take long. Each statement and each pause within has
    // a limit of its own.
    set("transaction_timeout", 0, ALL);

    // Frees the locks of a stopped host.
    set("idle_session_timeout", idle, CONTROL, LOCKS);
    set("idle_session_timeout", 0, allBut(CONTROL, LOCKS));
    set("idle_in_transaction_session_timeout", idle, CONTROL, DATA, LOCKS);
    set("idle_in_transaction_session_timeout", own, WORKER);
    // Foreign tables and stores may take long within a transaction.
    set("idle_in_transaction_session_timeout", answer, allBut(CONTROL, DATA, LOCKS, WORKER));

    set("tcp_user_timeout", idle, CONTROL, DATA, WORKER, LOCKS);
    set("tcp_user_timeout", answer, LOCK_ROWS);
    // Notices a dead host in about five seconds where no idle limit does.
    set("tcp_keepalives_idle", 2, allBut(CONTROL, DATA, LOCKS));
    set("tcp_keepalives_interval", 1, allBut(CONTROL, DATA, LOCKS));
    set("tcp_keepalives_count", 3, allBut(CONTROL, DATA, LOCKS));
  }

  /**
   * The kinds whose connection is also checked while a statement runs; not every operating system
   * can.
   */
  private static final Set<SessionKind> CHECKED =
      Set.of(DATA, WORKER, PEER, LOCKS, LOCK_ROWS, REPLAY);

  private void planner() {
    // A plan for one range of transactions must not be reused for later ones. Without statistics
    // the planner would sort a million waiting rows for each slot, instead of reading them in order
    // by the index.
    set("plan_cache_mode", "force_custom_plan", DATA, QUERY, ASK);
    set("enable_material", "off", DATA, QUERY, ASK);
    // These kinds have few statements, which are planned once. A claim that sorts, or builds a
    // bitmap, reads all waiting rows before the first.
    set("plan_cache_mode", "force_generic_plan", WORKER, LISTEN, LOCK_ROWS);
    set("enable_hashjoin", "off", WORKER, LISTEN, LOCK_ROWS);
    set("enable_mergejoin", "off", WORKER, LISTEN, LOCK_ROWS);
    for (String node : new String[] {"enable_seqscan", "enable_sort", "enable_bitmapscan"}) {
      set(node, "off", CONTROL, DATA, QUERY, ASK, WORKER, LISTEN, LOCK_ROWS);
    }
    set("plan_cache_mode", "force_generic_plan", CONTROL);
    // The remaining plans, and the pruning of partitions.
    for (String node :
        new String[] {"enable_indexscan", "enable_indexonlyscan", "enable_nestloop"}) {
      set(node, "on", CONTROL, DATA, QUERY, ASK, WORKER, LISTEN, LOCK_ROWS);
    }
    set("enable_partition_pruning", "on", ALL);
    // For the watch and status: reads a host's latest row version, instead of all versions in
    // order.
    set("enable_incremental_sort", "off", CONTROL, QUERY, ASK);
  }

  /** Sets the text form of values, which is their form in a log. */
  private void texts() {
    set("TimeZone", "UTC", ALL);
    set("DateStyle", "ISO, MDY", ALL);
    set("IntervalStyle", "postgres", ALL);
    set("extra_float_digits", 1, ALL);
    set("bytea_output", "hex", ALL);
    set("lc_monetary", "C", ALL);
    set("lc_numeric", "C", ALL);
    set("lc_time", "C", ALL);
    set("default_text_search_config", "pg_catalog.simple", ALL);
    set("xmlbinary", "base64", ALL);
    set("xmloption", "content", ALL);
    set("standard_conforming_strings", "on", ALL);
  }

  private static SessionKind[] allBut(SessionKind... kinds) {
    return EnumSet.complementOf(EnumSet.copyOf(List.of(kinds))).toArray(SessionKind[]::new);
  }

  private void set(String name, long value, SessionKind... kinds) {
    set(name, Long.toString(value), kinds);
  }

  private void set(String name, String value, SessionKind... kinds) {
    if (Set.of(kinds).contains(kind) && values.put(name, value) != null) {
      throw new IllegalStateException(name + " is given twice for " + kind);
    }
  }

  /** Returns the settings by name, including those that some servers do not know. */
  public Map<String, String> values() {
    return Map.copyOf(values);
  }

  /**
   * Replaces {@code off} and {@code local} of {@code synchronous_commit} by {@code on}, since a
   * slot's plan must be durable before its PUT. Other values are kept.
   */
  private static final String LOOK_AND_SET =
      """
      SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('server_encoding'), \
      pg_catalog.current_setting('session_replication_role'), \
      pg_catalog.current_setting('transaction_read_only'), {settings}, \
      CASE WHEN pg_catalog.current_setting('synchronous_commit') \
      OPERATOR(pg_catalog.=) ANY (ARRAY['off', 'local']) \
      THEN {durable} END \
      WHERE pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) {pid}{checked}\
      """;

  private static final String CHECK_CLIENT =
      """
      ; DO $$ BEGIN IF pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) {pid} \
      THEN SET client_connection_check_interval = 500; END IF; \
      EXCEPTION WHEN OTHERS THEN NULL; END $$\
      """;

  /**
   * Returns the SQL that applies all settings and checks the server in one round trip. In a session
   * with another pid than {@code pid} it returns no row and sets nothing, because a pooler would
   * pass the settings on to its other clients.
   *
   * <p>It runs before {@code search_path} is set, so all its names are qualified.
   */
  public String sql(int pid) {
    Map<String, String> ofPid = Map.of("pid", Integer.toString(pid));
    return SqlTemplate.fill(
        LOOK_AND_SET,
        Map.of(
            "pid",
            Integer.toString(pid),
            "settings",
            all(values),
            "durable",
            config("synchronous_commit", "on"),
            "checked",
            CHECKED.contains(kind) ? SqlTemplate.fill(CHECK_CLIENT, ofPid) : ""));
  }

  /** Returns the SQL that applies the settings alone, for a session that has discarded them. */
  public String again() {
    return SqlTemplate.fill("SELECT {settings}", Map.of("settings", all(values)));
  }

  private static String all(Map<String, String> values) {
    return values.entrySet().stream()
        .map(e -> config(e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String config(String name, String value) {
    return SqlTemplate.fill(
        OF_SOME_SERVERS.contains(name) ? SET_IF_KNOWN : SET,
        Map.of("name", Quoted.literal(name), "value", Quoted.literal(value)));
  }

  private static final String SET = "pg_catalog.set_config({name}, {value}, false)";

  private static final String SET_IF_KNOWN =
      """
      CASE WHEN pg_catalog.current_setting({name}, true) IS NOT NULL \
      THEN pg_catalog.set_config({name}, {value}, false) END\
      """;
}
