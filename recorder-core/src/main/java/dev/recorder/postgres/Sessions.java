package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.settings.SessionKind;
import dev.recorder.postgres.settings.SessionSettings;
import dev.recorder.postgres.socket.IdleWatch;
import dev.recorder.postgres.socket.WatchedSocketFactory;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/**
 * Opens sessions with the settings of {@link SessionSettings}, and refuses unsuitable servers.
 * Thread-safe.
 */
public final class Sessions {
  static final int OLDEST_VERSION = 14;

  private final ConnectionSource source;
  private final SchemaNames schemas;
  private final Duration networkTimeout;
  private final Duration idleLimit;
  private final String machine;

  /**
   * Makes an opener of sessions by the driver.
   *
   * @param machine part of the sessions' names
   */
  public Sessions(DatabaseSettings settings, String machine) {
    this(
        new DriverSource(settings),
        settings.schemas(),
        settings.networkTimeout(),
        settings.idleLimit(),
        machine);
  }

  private Sessions(
      ConnectionSource source,
      SchemaNames schemas,
      Duration networkTimeout,
      Duration idleLimit,
      String machine) {
    this.source = source;
    this.schemas = schemas;
    this.networkTimeout = networkTimeout;
    this.idleLimit = idleLimit;
    this.machine = machine;
  }

  /**
   * Makes an opener of sessions from a data source of the caller, such as a pool. Each session
   * keeps one connection. At its end the connection is ended instead of returned, because its
   * settings were changed; the pool notices and replaces it. Schemas and time limits are the
   * defaults.
   *
   * <p>The source must lead to the server itself: a pooler that lends sessions per transaction is
   * refused.
   *
   * @param name part of the sessions' names ({@code recorder/NAME/lock})
   */
  public static Sessions of(DataSource source, String name) {
    return new Sessions(
        new DataSourceConnections(source),
        SchemaNames.DEFAULT,
        DatabaseSettings.NETWORK_TIMEOUT,
        DatabaseSettings.IDLE_LIMIT,
        name);
  }

  public SchemaNames schemas() {
    return schemas;
  }

  /** Returns the name that is part of the sessions' names. */
  public String machine() {
    return machine;
  }

  /** Opens a session for a command or a host whose statements may take long. */
  public Connection openForQueries() {
    return open(SessionKind.QUERY);
  }

  /**
   * Opens a session for a command or a host whose statements may take long, with a limit for lock
   * waits.
   *
   * @param waiting how long a statement may wait for a lock
   */
  public Connection openForQueries(Duration waiting) {
    return open(SessionKind.QUERY, waiting, Map.of());
  }

  /**
   * Opens a session for a caller that waits for at most {@code answer}, even if the network fails.
   *
   * @param waiting how long a statement may wait for a lock; zero for as long as {@code answer}
   *     allows
   */
  public Connection openForAnswers(Duration waiting, Duration answer) {
    return open(
        SessionKind.ASK, new SessionSettings.SessionLimits(answer, idleLimit, waiting), Map.of());
  }

  /**
   * Opens a session that rebuilds tables from a log. Statements may take hours, and values are read
   * in the form in which they were written.
   */
  public Connection openReplay() {
    return open(SessionKind.REPLAY);
  }

  public Connection openControl() {
    return open(SessionKind.CONTROL);
  }

  public Connection openData() {
    return open(SessionKind.DATA);
  }

  /**
   * Opens a session for a worker of requests.
   *
   * @param unitLimit how long its transactions may be idle while a unit is processed
   */
  public Connection openWorker(Duration unitLimit) {
    return open(SessionKind.WORKER, unitLimit, Map.of());
  }

  /** Opens a session for users' queries that build documents. */
  public Connection openForDocuments() {
    return open(SessionKind.DOCUMENT);
  }

  /**
   * Returns the statement that restores the settings of a session of {@link #openForDocuments}
   * after the session has discarded them.
   */
  public String settingsForDocuments() {
    return SessionSettings.of(
            SessionKind.DOCUMENT,
            new SessionSettings.SessionLimits(networkTimeout, idleLimit, Duration.ZERO))
        .again();
  }

  public Connection openListen() {
    return open(SessionKind.LISTEN);
  }

  /** Opens a session that waits for the end of another host's control session. */
  public Connection openPeer() {
    return open(SessionKind.PEER);
  }

  /**
   * Opens a session that holds advisory locks. The server ends it when it has been idle for {@link
   * DatabaseSettings#idleLimit()}, so it must be used more often.
   *
   * @param waiting how long a statement may wait for a lock
   * @param watch reads the connection while it is idle, unless the session comes from a data source
   *     of the caller
   */
  public Connection openLocks(Duration waiting, IdleWatch watch) {
    try (WatchedSocketFactory.SocketEntry entry = WatchedSocketFactory.enter(watch)) {
      Map<String, String> watched =
          Map.of(
              "socketFactory",
              WatchedSocketFactory.class.getName(),
              "socketFactoryArg",
              entry.number());
      return open(SessionKind.LOCKS, waiting, watched);
    }
  }

  /** Opens a session for row locks: short statements, each a transaction of its own. */
  public Connection openLockRows() {
    return open(SessionKind.LOCK_ROWS);
  }

  /** Allows the refused logins of this process to be tried again at once. */
  public static void forgetRefusedLogins() {
    LoginBackoff.forgetRefusals();
  }

  /** Returns how long an idle session keeps its locks. */
  public Duration idleLimit() {
    return idleLimit;
  }

  /** Returns the longest wait for an answer. */
  public Duration networkTimeout() {
    return networkTimeout;
  }

  private Connection open(SessionKind kind) {
    return open(kind, Duration.ZERO, Map.of());
  }

  private Connection open(SessionKind kind, Duration own, Map<String, String> properties) {
    return open(
        kind, new SessionSettings.SessionLimits(networkTimeout, idleLimit, own), properties);
  }

  private Connection open(
      SessionKind kind, SessionSettings.SessionLimits limits, Map<String, String> properties) {
    SessionSettings wanted = SessionSettings.of(kind, limits).in(source.reachedAs());
    long answerWithin = kind.answerWithin(limits.network()).toMillis();
    try {
      Connection connection = source.connect(kind.applicationName(machine), properties);
      try {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin));
        checkVersion(connection);
        prepare(connection, kind, wanted);
        return connection;
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new DatabaseException(
          SqlStates.kindOf(e), "cannot connect to " + source + ": " + SqlStates.describe(e), e);
    }
  }

  private void checkVersion(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST_VERSION) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE,
          "PostgreSQL "
              + version
              + " at "
              + source
              + " is too old: "
              + OLDEST_VERSION
              + " or newer is needed");
    }
  }

  private void prepare(Connection connection, SessionKind kind, SessionSettings wanted)
      throws SQLException {
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    try (Statement statement = connection.createStatement()) {
      statement.execute(wanted.sql(pid));
      try (ResultSet row = statement.getResultSet()) {
        // A pooler shows each client a pid of its own, and lends one session with its locks to
        // several clients.
        if (!row.next()) {
          throw new DatabaseException(
              DatabaseErrorKind.UNUSABLE,
              "a connection pooler stands in front of "
                  + source
                  + "; advisory locks need a direct connection: give the server's own endpoint");
        }
        checkServer(row.getBoolean(1), row.getString(2));
        checkDefaults(kind, row.getString(3), row.getString(4));
      }
    }
  }

  private void checkServer(boolean standby, String encoding) {
    if (standby) {
      throw DatabaseException.standby(source.toString());
    }
    if (!encoding.equals("UTF8")) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE,
          "database "
              + source
              + " has the encoding "
              + encoding
              + ", not all of whose text is UTF-8: one such row would stop a log; use a database"
              + " with encoding UTF8 (CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0)");
    }
  }

  /** Checks defaults of the role, the database or the server that a session may not change. */
  private void checkDefaults(SessionKind kind, String replicationRole, String readOnly) {
    if (replicationRole.equals("replica") && kind.needsTriggers()) {
      throw new DatabaseException(
          DatabaseErrorKind.UNREACHABLE,
          "sessions at "
              + source
              + " have session_replication_role = replica, so that no trigger runs, of which the"
              + " recorder needs some; take it back where it was set: ALTER ROLE ... RESET"
              + " session_replication_role, ALTER DATABASE ... RESET it, or the server's own"
              + " settings");
    }
    if (readOnly.equals("on") && kind.writes()) {
      throw new DatabaseException(
          DatabaseErrorKind.UNREACHABLE,
          "sessions at " + source + " are read-only" + DatabaseException.READ_ONLY_REMEDY);
    }
  }
}
