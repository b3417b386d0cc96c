package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.Kind;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/**
 * Opens sessions with the settings the protocol needs, which {@link SessionSettings} compares, and
 * refuses servers it cannot work with. Thread-safe.
 */
public final class Sessions {
  private static final int OLDEST_VERSION = 14;

  /** All of it comes as properties: a name that is pasted into a URL could carry options. */
  private static final String URL = "jdbc:postgresql://";

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

  /** A session for a command line tool: statements may take long. */
  public Connection openForQueries() {
    return open(SessionKind.QUERY);
  }

  public Connection openControl() {
    return open(SessionKind.CONTROL);
  }

  public Connection openData() {
    return open(SessionKind.DATA);
  }

  /**
   * A session for a worker of requests.
   *
   * @param unitLimit how long its transactions may be silent, while a unit is being worked on
   */
  public Connection openWorker(Duration unitLimit) {
    return open(SessionKind.WORKER, unitLimit, properties(SessionKind.WORKER));
  }

  public Connection openListen() {
    return open(SessionKind.LISTEN);
  }

  /**
   * A session that holds advisory locks, and ends on its own when it has been silent for {@link
   * DatabaseSettings#idleLimit()}: who uses it says something sooner.
   *
   * @param waiting how long a statement may wait for a lock
   * @param watch reads it while it is idle
   */
  public Connection openLocks(Duration waiting, IdleWatch watch) {
    try (WatchedSocketFactory.Entry entry = WatchedSocketFactory.enter(watch)) {
      Properties properties = properties(SessionKind.LOCKS);
      properties.setProperty("socketFactory", WatchedSocketFactory.class.getName());
      properties.setProperty("socketFactoryArg", entry.number());
      return open(SessionKind.LOCKS, waiting, properties);
    }
  }

  /**
   * A session for locks that are rows: short statements of one row or a few, each a transaction of
   * its own.
   */
  public Connection openLockRows() {
    return open(SessionKind.LOCK_ROWS);
  }

  /** For how long a silent session keeps its locks. */
  public Duration idleLimit() {
    return settings.idleLimit();
  }

  /** Longest wait for an answer. */
  public Duration networkTimeout() {
    return settings.networkTimeout();
  }

  private Connection open(SessionKind kind) {
    return open(kind, Duration.ZERO, properties(kind));
  }

  private Connection open(SessionKind kind, Duration own, Properties properties) {
    SessionSettings wanted =
        SessionSettings.of(
            kind, new SessionSettings.Limits(settings.networkTimeout(), settings.idleLimit(), own));
    long answerWithin = kind.answerWithin(settings.networkTimeout()).toMillis();
    try {
      Connection connection = new Driver().connect(URL, properties);
      if (connection == null) {
        throw new DatabaseException(Kind.UNUSABLE, "not a PostgreSQL address: " + settings);
      }
      try {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin));
        checkVersion(connection);
        prepare(connection, wanted);
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

  private Properties properties(SessionKind kind) {
    Properties properties = new Properties();
    properties.setProperty("PGHOST", withoutBrackets(settings.host()));
    properties.setProperty("PGPORT", Integer.toString(settings.port()));
    properties.setProperty("PGDBNAME", settings.database());
    properties.setProperty("user", settings.user());
    put(properties, "password", settings.password());
    put(properties, "sslmode", settings.sslmode());
    put(properties, "sslrootcert", settings.sslrootcert());
    properties.setProperty("ApplicationName", kind.applicationName(machine));
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

  /** Only a URL needs those of an IPv6 address. */
  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static void put(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }

  private void checkVersion(Connection connection) throws SQLException {
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
  }

  private void prepare(Connection connection, SessionSettings wanted) throws SQLException {
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    try (Statement statement = connection.createStatement()) {
      statement.execute(wanted.sql(pid));
      try (ResultSet row = statement.getResultSet()) {
        // A pooler hands out keys of its own, and one session's locks to another's client.
        if (!row.next()) {
          throw new DatabaseException(
              Kind.UNUSABLE,
              "a connection pooler stands in front of "
                  + settings
                  + "; advisory locks need a direct connection: give the server's own endpoint");
        }
        checkServer(row.getBoolean(1), row.getString(2));
      }
    }
  }

  private void checkServer(boolean standby, String encoding) {
    if (standby) {
      throw new DatabaseException(
          Kind.UNUSABLE,
          settings + " is a standby server (read-only); give the primary's endpoint");
    }
    if (!encoding.equals("UTF8")) {
      throw new DatabaseException(
          Kind.UNUSABLE,
          "database "
              + settings
              + " has the encoding "
              + encoding
              + ", not all of whose text is UTF-8: one such row would stop a log; use a database with"
              + " encoding UTF8 (CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0)");
    }
  }
}
