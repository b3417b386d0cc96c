package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/**
 * Opens sessions with the settings the protocol needs. Thread-safe.
 *
 * <p>Time limits come in layers, because each covers what the others cannot: a statement that waits
 * for a lock ({@code lock_timeout}), one that takes long ({@code statement_timeout}), a network
 * without answers (the socket's time-out), a stopped machine (the server's own idle limits).
 */
public final class Sessions {
  /** Longest wait for an answer on a data session; a lost control session aborts it earlier. */
  private static final Duration DATA_TIMEOUT = Duration.ofSeconds(10);

  /** Longest wait for an answer on a session for locks that are rows. */
  private static final Duration LOCK_ROWS_TIMEOUT = Duration.ofSeconds(2);

  private static final int OLDEST_VERSION = 14;

  /**
   * Hand-off tables are read by their index, in its order. A plan for one xid range must not be
   * kept for all later ones; and a table that was just filled has no statistics, so that the
   * planner would sort a million waiting rows for each slot: 1,080 ms, against 40 ms by the index.
   */
  private static final String BY_INDEX =
      "SET plan_cache_mode = force_custom_plan; SET enable_sort = off;"
          + "SET enable_bitmapscan = off; SET enable_seqscan = off; SET enable_material = off;";

  /**
   * A host that is gone is noticed by the server in about five seconds, and its locks are freed.
   */
  private static final String KEEPALIVE =
      "SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;";

  /**
   * The few statements of a worker always go by the same indexes, statistics or none, and in their
   * order: a claim that sorts or makes a bitmap reads all that waits before it looks at the first.
   */
  private static final String SAME_PLANS =
      "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_sort = off;"
          + "SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
          + "SET jit = off;";

  private final DatabaseSettings settings;
  private final String machine;

  public Sessions(DatabaseSettings settings, String machine) {
    this.settings = settings;
    this.machine = machine;
  }

  DatabaseSettings settings() {
    return settings;
  }

  public SchemaNames schemas() {
    return settings.schemas();
  }

  /** The name under which sessions are opened. */
  public String machine() {
    return machine;
  }

  /** A session for a command line tool: plain settings, statements may take long. */
  public Connection openForQueries() {
    return open(SessionRole.QUERY, Duration.ofMinutes(10), BY_INDEX);
  }

  Connection openControl() {
    long limit = settings.networkTimeout().toMillis();
    long idle = settings.idleLimit().toMillis();
    return open(
        SessionRole.CONTROL,
        settings.networkTimeout(),
        set("lock_timeout", limit / 4)
            + set("statement_timeout", limit * 3 / 4)
            + set("idle_session_timeout", idle)
            + set("idle_in_transaction_session_timeout", idle)
            + setWhereSupported("tcp_user_timeout", idle));
  }

  Connection openData() {
    long idle = settings.idleLimit().toMillis();
    return open(
        SessionRole.DATA,
        DATA_TIMEOUT,
        set("lock_timeout", 2_000)
            + set("statement_timeout", DATA_TIMEOUT.toMillis() * 9 / 10)
            + set("idle_in_transaction_session_timeout", idle)
            + setWhereSupported("tcp_user_timeout", idle)
            + setWhereSupported("client_connection_check_interval", 500)
            + BY_INDEX);
  }

  /**
   * A session for a worker of requests.
   *
   * @param unitLimit how long its transactions may be silent, while a unit is being worked on
   */
  Connection openWorker(Duration unitLimit) {
    return open(
        SessionRole.DATA,
        DATA_TIMEOUT,
        set("lock_timeout", 2_000)
            + set("statement_timeout", DATA_TIMEOUT.toMillis() * 9 / 10)
            + set("idle_in_transaction_session_timeout", unitLimit.toMillis())
            + setWhereSupported("tcp_user_timeout", settings.idleLimit().toMillis())
            + setWhereSupported("client_connection_check_interval", 500)
            + KEEPALIVE
            + SAME_PLANS);
  }

  Connection openListen() {
    return open(
        SessionRole.LISTEN,
        DATA_TIMEOUT,
        set("lock_timeout", 2_000)
            + set("statement_timeout", DATA_TIMEOUT.toMillis() * 9 / 10)
            + KEEPALIVE
            + SAME_PLANS);
  }

  /**
   * A session that holds advisory locks, and ends on its own when it has been silent for {@link
   * DatabaseSettings#idleLimit()}: who uses it says something sooner.
   *
   * @param waiting how long a statement may wait for a lock
   * @param watch reads it while it is idle
   */
  public Connection openLocks(Duration waiting, IdleWatch watch) {
    long limit = settings.networkTimeout().toMillis();
    long idle = settings.idleLimit().toMillis();
    try (WatchedSocketFactory.Entry entry = WatchedSocketFactory.enter(watch)) {
      Properties properties = properties(SessionRole.LOCK);
      properties.setProperty("socketFactory", WatchedSocketFactory.class.getName());
      properties.setProperty("socketFactoryArg", entry.number());
      return open(
          properties,
          settings.networkTimeout(),
          set("lock_timeout", waiting.toMillis())
              + set("statement_timeout", limit * 3 / 4)
              + set("idle_session_timeout", idle)
              + set("idle_in_transaction_session_timeout", idle)
              + setWhereSupported("tcp_user_timeout", idle)
              + setWhereSupported("client_connection_check_interval", 500));
    }
  }

  /**
   * A session for locks that are rows: short statements of one row or a few, each a transaction of
   * its own. The server gives up before the network's limit, so that it is known what it did.
   */
  public Connection openLockRows() {
    long limit = LOCK_ROWS_TIMEOUT.toMillis();
    return open(
        SessionRole.LOCK,
        LOCK_ROWS_TIMEOUT,
        "SET default_transaction_isolation = 'read committed';"
            + set("lock_timeout", limit / 2)
            + set("statement_timeout", limit * 3 / 4)
            + set("idle_in_transaction_session_timeout", limit)
            + setWhereSupported("tcp_user_timeout", limit)
            + setWhereSupported("client_connection_check_interval", 500)
            + KEEPALIVE
            + SAME_PLANS);
  }

  /** For how long a silent session keeps its locks. */
  public Duration idleLimit() {
    return settings.idleLimit();
  }

  /** Longest wait for an answer. */
  public Duration networkTimeout() {
    return settings.networkTimeout();
  }

  private static String set(String name, long millis) {
    return "SET " + name + " = " + millis + ";";
  }

  /** Some operating systems lack what the setting needs; there the other limits must do. */
  private static String setWhereSupported(String name, long millis) {
    return "DO $$ BEGIN " + set(name, millis) + " EXCEPTION WHEN OTHERS THEN NULL; END $$;";
  }

  private Connection open(SessionRole role, Duration answerWithin, String setup) {
    return open(properties(role), answerWithin, setup);
  }

  private Connection open(Properties properties, Duration answerWithin, String setup) {
    try {
      Connection connection = new Driver().connect(url(), properties);
      if (connection == null) {
        throw new DatabaseException(Kind.UNUSABLE, "not a PostgreSQL address: " + settings);
      }
      try {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin.toMillis()));
        checkServer(connection);
        prepare(connection, setup);
        return connection;
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new DatabaseException(
          SqlStates.kindOf(e), "cannot connect to " + settings + ": " + SqlStates.describe(e), e);
    }
  }

  /** Host and database only; credentials never stand in a URL. */
  private String url() {
    return "jdbc:postgresql://"
        + settings.host()
        + ":"
        + settings.port()
        + "/"
        + settings.database();
  }

  private Properties properties(SessionRole role) {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    put(properties, "password", settings.password());
    put(properties, "sslmode", settings.sslmode());
    put(properties, "sslrootcert", settings.sslrootcert());
    properties.setProperty("ApplicationName", role.applicationName(machine));
    // The driver then sends the name with its first packet: a session that hangs while it is opened
    // can be told from others, by the server and by what stands between.
    properties.setProperty("assumeMinServerVersion", Integer.toString(OLDEST_VERSION));
    // Whole seconds, for the handshake only; the session's own limit is set once it is open.
    String seconds = Long.toString(Math.max(1, settings.networkTimeout().toSeconds()));
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    properties.setProperty("cancelSignalTimeout", "1");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("stringtype", "unspecified");
    return properties;
  }

  private static void put(
      Properties properties, String name, @org.jspecify.annotations.Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }

  private void prepare(Connection connection, String setup) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      // A plan must be durable before its PUT, whatever the server's default is; never weaken it.
      statement.execute(
          setup
              + "SELECT set_config('synchronous_commit', 'on', false)"
              + " WHERE current_setting('synchronous_commit') IN ('off', 'local')");
    }
  }

  private void checkServer(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST_VERSION) {
      throw new DatabaseException(
          Kind.UNUSABLE,
          "PostgreSQL "
              + version
              + " at "
              + settings
              + " is too old: "
              + OLDEST_VERSION
              + " or newer is needed");
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_is_in_recovery(), pg_backend_pid(), current_setting('server_encoding')")) {
      row.next();
      if (row.getBoolean(1)) {
        throw new DatabaseException(
            Kind.UNUSABLE,
            settings + " is a standby server (read-only); give the primary's endpoint");
      }
      if (row.getString(3).equals("SQL_ASCII")) {
        throw new DatabaseException(
            Kind.UNUSABLE,
            "database "
                + settings
                + " has the encoding SQL_ASCII, which lets bytes in that are no text and so no JSON;"
                + " use a database with encoding UTF8");
      }
      // A pooler hands out keys of its own, and one session's locks to another's client.
      if (row.getInt(2) != connection.unwrap(PGConnection.class).getBackendPID()) {
        throw new DatabaseException(
            Kind.UNUSABLE,
            "a connection pooler stands in front of "
                + settings
                + "; advisory locks need a direct connection: give the server's own endpoint");
      }
    }
  }
}
