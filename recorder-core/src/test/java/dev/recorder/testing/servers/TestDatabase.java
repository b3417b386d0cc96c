package dev.recorder.testing.servers;

import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fresh database for one test class, on the shared server, and the role the product runs as:
 * {@link #ROLE}, not a superuser.
 */
public final class TestDatabase implements AutoCloseable {
  public static final String ROLE = "recorder";
  public static final String PASSWORD = "recorder-password";

  private static final Duration LONGEST_ANSWER = Duration.ofMinutes(10);
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final Map<Object, TestDatabase> PREPARED = new HashMap<>();

  /** The recorders in it belong to it from the start, not to the one that it is a copy of. */
  private static final String UNPINNED =
      """
      DO $$ BEGIN IF to_regclass('recorder.lock_recorders') IS NOT NULL THEN
        UPDATE recorder.lock_recorders SET database = NULL;
      END IF; END $$\
      """;

  private final PostgresServer server;
  private final String name;
  private final String owner;

  private TestDatabase(PostgresServer server, String name, String owner) {
    this.server = server;
    this.name = name;
    this.owner = owner;
  }

  /** Makes a database, tables and all. */
  @FunctionalInterface
  public interface Maker {
    TestDatabase make() throws SQLException;
  }

  /**
   * A copy of a database that is made once for this key, and kept until the process ends: to make
   * all the product's tables takes several times as long as to copy them.
   */
  public static synchronized TestDatabase prepared(Object key, Maker maker) throws SQLException {
    TestDatabase ready = PREPARED.get(key);
    if (ready == null) {
      ready = maker.make();
      PREPARED.put(key, ready);
    }
    return ready.unpinnedCopy();
  }

  /** A copy whose recorders belong to it from the start, and not to this one. */
  public TestDatabase unpinnedCopy() throws SQLException {
    TestDatabase copy = copy();
    copy.execute(UNPINNED);
    return copy;
  }

  /** A database in which {@link #ROLE} owns nothing and may only connect. */
  public static TestDatabase create() throws SQLException {
    return createOn(PostgresServer.shared(), PostgresServer.SUPERUSER);
  }

  /** A database that {@link #ROLE} owns. */
  public static TestDatabase createOwned() throws SQLException {
    return createOn(PostgresServer.shared(), ROLE);
  }

  /** A database on a server of the test's own. */
  public static TestDatabase createOn(PostgresServer server, String owner) throws SQLException {
    TestDatabase database = new TestDatabase(server, "test_" + COUNT.incrementAndGet(), owner);
    server.createRole(ROLE, PASSWORD);
    server.createDatabase(database.name, owner);
    return database;
  }

  /** The database of this name on another server, a physical copy. */
  public TestDatabase on(PostgresServer copy) {
    return new TestDatabase(copy, name, owner);
  }

  /** A new, empty database of this name, with the role, on another server. */
  public TestDatabase createAgainOn(PostgresServer other, String owner) throws SQLException {
    TestDatabase database = on(other);
    other.createRole(ROLE, PASSWORD);
    other.createDatabase(name, owner);
    return database;
  }

  /**
   * A physical copy beside it, as of now; nobody may connect to either meanwhile, and who is about
   * to leave is waited for.
   */
  public TestDatabase copy() throws SQLException {
    Administrator administrator = server.administrator();
    administrator.execute(
        """
        DO $$
        DECLARE
          template name := '%s';
          begun timestamptz := clock_timestamp();
        BEGIN
          WHILE EXISTS (SELECT FROM pg_stat_activity WHERE datname = template) LOOP
            IF clock_timestamp() > begun + interval '1 minute' THEN
              RAISE '%% cannot be copied: %% does not leave', template,
                (SELECT string_agg(application_name, ', ') FROM pg_stat_activity
                 WHERE datname = template);
            END IF;
            PERFORM pg_sleep(0.005), pg_stat_clear_snapshot();
          END LOOP;
        END $$\
        """
            .formatted(name));
    TestDatabase copy = new TestDatabase(server, "test_" + COUNT.incrementAndGet(), owner);
    administrator.createDatabase(copy.name, "OWNER " + owner + " TEMPLATE " + name);
    return copy;
  }

  /** A copy that its recorder takes for its own database, restored to an earlier time. */
  public TestDatabase copyInItsPlace() throws SQLException {
    TestDatabase copy = copy();
    copy.takePlaceOf(this);
    return copy;
  }

  /** Its recorder knows from now on that it wrote from that database, too, and may go on here. */
  public void takePlaceOf(TestDatabase other) throws SQLException {
    String written = other.one("SELECT former_databases || database FROM recorder.lock_recorders");
    execute(
        "UPDATE recorder.lock_recorders SET database = NULL, former_databases = "
            + "array_remove(former_databases || '"
            + written
            + "'::text[], NULL)");
  }

  public String name() {
    return name;
  }

  public PostgresServer server() {
    return server;
  }

  /** URL without user and password. */
  public String jdbcUrl() {
    return server.jdbcUrl(name);
  }

  /** User and password of {@link #ROLE}. */
  public Properties credentials() {
    return credentials(ROLE, PASSWORD);
  }

  /** User and password, and a limit: who waits for a server's answer hears no interrupt. */
  static Properties credentials(String user, String password) {
    Properties credentials = new Properties();
    credentials.setProperty("user", user);
    credentials.setProperty("password", password);
    credentials.setProperty("socketTimeout", Long.toString(LONGEST_ANSWER.toSeconds()));
    return credentials;
  }

  /** A new connection of {@link #ROLE}. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), credentials());
  }

  public Connection connectAsSuperuser() throws SQLException {
    return server.connectAsSuperuser(name);
  }

  /** What is in the first column of an answer's first row; asks as superuser. */
  public String one(String sql) throws SQLException {
    return server.one(name, sql);
  }

  /** Runs statements as superuser. */
  public void execute(String... statements) throws SQLException {
    server.execute(name, statements);
  }

  /** What a query of a superuser finds, row by row. */
  public <T> List<T> query(String sql, SqlFunction<ResultSet, T> reader) throws SQLException {
    try (Connection connection = connectAsSuperuser()) {
      return query(connection, sql, reader);
    }
  }

  /** What a query finds, row by row. */
  public static <T> List<T> query(
      Connection connection, String sql, SqlFunction<ResultSet, T> reader) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<T> found = new ArrayList<>();
      while (row.next()) {
        found.add(reader.apply(row));
      }
      return found;
    }
  }

  /** The one number that a query of a superuser finds. */
  public long number(String sql) throws SQLException {
    return query(sql, row -> row.getLong(1)).get(0);
  }

  /** Drops the database, ending whatever sessions are left in it. */
  @Override
  public void close() throws SQLException {
    server.administrator().execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  }
}
