package dev.recorder.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/** Databases with what locks need, and what tests do to them. */
public final class LockSites {
  private LockSites() {}

  /** Makes the control schema in a database that the recorder's role owns. */
  public static void create(TestDatabase database) throws SQLException {
    try (Connection owner = database.connect();
        Statement statement = owner.createStatement()) {
      statement.execute(new Schema(SchemaNames.DEFAULT).control());
    }
  }

  /**
   * Sessions of a worker, by way of a port such as a proxy's; only those have time limits that a
   * test can wait for.
   */
  public static Sessions sessions(TestDatabase database, String worker, int port) {
    return port == database.server().port()
        ? TestSessions.patient(database, worker)
        : TestSessions.of(database, worker, port);
  }

  /** Sessions that outlive the pauses of a busy host, for a process that knows no more. */
  public static Sessions sessions(String database, String worker, int port) {
    return new Sessions(TestSettings.patient(database, port), worker);
  }

  /** A plain connection for a process that knows no more than this. */
  public static Connection connect(String database, int port) throws SQLException {
    Properties credentials = new Properties();
    credentials.setProperty("user", TestDatabase.ROLE);
    credentials.setProperty("password", TestDatabase.PASSWORD);
    return DriverManager.getConnection(PostgresServer.jdbcUrl(database, port), credentials);
  }

  /**
   * Ends the sessions of a worker in this database as an operator does; others have the server,
   * too.
   */
  public static void terminate(TestDatabase database, String worker) throws SQLException {
    number(
        database,
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname ="
            + " current_database() AND application_name LIKE 'recorder/"
            + worker
            + "/%'");
  }

  public static void execute(TestDatabase database, String sql) throws SQLException {
    try (Connection superuser = database.connectAsSuperuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }

  public static long number(TestDatabase database, String sql) throws SQLException {
    try (Connection superuser = database.connectAsSuperuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /**
   * New sessions meet a server on which no lock can be taken without waiting, and each wait ends
   * with the lock and with a time-out.
   */
  public static Detour lateTimeout(TestDatabase database) throws SQLException {
    return detour(
        database,
        """
        CREATE FUNCTION pg_catalog.pg_try_advisory_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE FUNCTION pg_catalog.pg_advisory_lock(key bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM nextval('late.calls');
          PERFORM pg_catalog.pg_advisory_lock_itself(key);
          RAISE EXCEPTION 'canceling statement due to lock timeout' USING ERRCODE = '55P03';
        END $$""",
        "pg_try_advisory_lock",
        "pg_advisory_lock");
  }

  /**
   * New sessions meet a server that grants a lock, and the next time does so too but then fails.
   */
  public static Detour failureBehindTheSecondGrant(TestDatabase database) throws SQLException {
    return detour(
        database,
        """
        CREATE FUNCTION pg_catalog.pg_try_advisory_lock(key bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_catalog.pg_try_advisory_lock_itself(key);
          IF nextval('late.calls') > 1 THEN
            RAISE EXCEPTION 'out of shared memory' USING ERRCODE = '53200';
          END IF;
          RETURN true;
        END $$""",
        "pg_try_advisory_lock");
  }

  /** New sessions have their waits counted. */
  public static Detour countedWaits(TestDatabase database) throws SQLException {
    return detour(
        database,
        """
        CREATE FUNCTION pg_catalog.pg_advisory_lock(key bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM nextval('late.calls');
          PERFORM pg_catalog.pg_advisory_lock_itself(key);
        END $$""",
        "pg_advisory_lock");
  }

  /** Other functions in the places of the server's own: sessions look nowhere else. */
  private static Detour detour(TestDatabase database, String functions, String... replaced)
      throws SQLException {
    StringBuilder renames = new StringBuilder();
    for (String function : replaced) {
      renames.append(rename(function, function + "_itself"));
    }
    execute(
        database,
        """
        SET allow_system_table_mods = on;
        CREATE SCHEMA late;
        GRANT USAGE ON SCHEMA late TO PUBLIC;
        CREATE SEQUENCE late.calls;
        GRANT ALL ON SEQUENCE late.calls TO PUBLIC;
        """
            + renames
            + functions);
    return new Detour(database, List.of(replaced));
  }

  private static String rename(String function, String to) {
    return "ALTER FUNCTION pg_catalog." + function + "(bigint) RENAME TO " + to + ";\n";
  }

  /** Until it is closed. */
  public record Detour(TestDatabase database, List<String> replaced) implements AutoCloseable {
    /** How many calls there were. */
    public long calls() throws SQLException {
      return number(database, "SELECT last_value FROM late.calls WHERE is_called");
    }

    @Override
    public void close() throws SQLException {
      StringBuilder back = new StringBuilder("SET allow_system_table_mods = on;");
      for (String function : replaced) {
        back.append("DROP FUNCTION pg_catalog." + function + "(bigint);")
            .append(rename(function + "_itself", function));
      }
      execute(database, back + "DROP SCHEMA late CASCADE");
    }
  }
}
