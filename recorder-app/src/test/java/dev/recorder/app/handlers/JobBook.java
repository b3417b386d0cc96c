package dev.recorder.app.handlers;

import dev.recorder.requests.WorkUnit;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Who entered which entity when and has left it, in tables of its own, on connections of its own:
 * they go straight to the database, and so hold when the host is cut off from it. Thread-safe.
 *
 * <p>Two units overlap if one enters while another that has not left still owns its rows; whether
 * it does, the server says. It refuses units that come late, as {@link WorkUnit} asks of everybody.
 */
public final class JobBook {
  /** System properties of a host with this handler. */
  public static final String URL = "book.url";

  public static final String USER = "book.user";
  public static final String PASSWORD = "book.password";

  /** To be made before the first unit. */
  public static final List<String> TABLES =
      List.of(
          "CREATE TABLE proof.entities (entity text PRIMARY KEY, fence xid8 NOT NULL)",
          "CREATE TABLE proof.units (process uuid PRIMARY KEY, entity text NOT NULL, fence xid8 NOT"
              + " NULL, ids bigint[] NOT NULL, left_at timestamptz)",
          "CREATE INDEX ON proof.units (entity) WHERE left_at IS NULL",
          "CREATE TABLE proof.overlaps (entity text, process uuid, other uuid,"
              + " at timestamptz DEFAULT clock_timestamp())");

  /** Also the lock by which units of an entity enter and leave one after the other. */
  private static final String HIGHEST =
      "INSERT INTO proof.entities AS e VALUES (?, ?::xid8) ON CONFLICT (entity) DO UPDATE"
          + " SET fence = greatest(e.fence, excluded.fence) RETURNING fence = ?::xid8";

  private static final String NOTE_OVERLAPS =
      "INSERT INTO proof.overlaps (entity, process, other) SELECT entity, ?::uuid, process FROM"
          + " proof.units WHERE entity = ? AND left_at IS NULL AND pg_xact_status(fence) = 'in"
          + " progress' AND pg_xact_status(?::xid8) = 'in progress'";

  private static final String ENTER =
      "INSERT INTO proof.units (process, entity, fence, ids) VALUES (?::uuid, ?, ?::xid8,"
          + " ?::bigint[])";

  private static final String LEAVE =
      "UPDATE proof.units SET left_at = clock_timestamp() WHERE process = ?::uuid";

  private final String url;
  private final Properties credentials;
  private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

  private JobBook(String url, Properties credentials) {
    this.url = url;
    this.credentials = credentials;
  }

  static JobBook fromProperties() {
    return of(System.getProperty(URL), System.getProperty(USER), System.getProperty(PASSWORD));
  }

  static JobBook of(String url, String user, String password) {
    Properties credentials = new Properties();
    credentials.setProperty("user", user);
    credentials.setProperty("password", password);
    credentials.setProperty("socketTimeout", "10");
    return new JobBook(url, credentials);
  }

  /** False if a unit with a higher fence has entered. */
  boolean enter(WorkUnit unit) throws SQLException {
    return transact(
        connection -> {
          boolean highest = isHighest(connection, unit);
          run(connection, NOTE_OVERLAPS, unit.process(), unit.entity(), fence(unit));
          if (highest) {
            Array ids = connection.createArrayOf("bigint", unit.ids().toArray());
            run(connection, ENTER, unit.process(), unit.entity(), fence(unit), ids);
          }
          return highest;
        });
  }

  /** False if a unit with a higher fence has entered: what this one has done is then void. */
  boolean leave(WorkUnit unit) throws SQLException {
    return transact(
        connection -> {
          boolean highest = isHighest(connection, unit);
          if (highest) {
            run(connection, LEAVE, unit.process());
          }
          return highest;
        });
  }

  private static boolean isHighest(Connection connection, WorkUnit unit) throws SQLException {
    return run(connection, HIGHEST, unit.entity(), fence(unit), fence(unit));
  }

  private static String fence(WorkUnit unit) {
    return Long.toUnsignedString(unit.fence());
  }

  /** Whether the statement's first row, if it has any, says so. */
  private static boolean run(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.execute()
          && statement.getResultSet().next()
          && statement.getResultSet().getBoolean(1);
    }
  }

  private interface Work {
    boolean on(Connection connection) throws SQLException;
  }

  private boolean transact(Work work) throws SQLException {
    @Nullable Connection connection = idle.poll();
    if (connection == null) {
      connection = DriverManager.getConnection(url, credentials);
      connection.setAutoCommit(false);
    }
    boolean done = false;
    try {
      boolean result = work.on(connection);
      connection.commit();
      done = true;
      return result;
    } finally {
      if (done) {
        idle.push(connection);
      } else {
        connection.abort(Runnable::run);
      }
    }
  }
}
