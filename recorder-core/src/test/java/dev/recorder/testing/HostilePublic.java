package dev.recorder.testing;

import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A schema {@code public} in which somebody lies in wait: functions, operators, types and views
 * named as those of PostgreSQL and of the recorder. Whoever calls one is noted.
 *
 * <p>A real attacker's would use the caller's rights; these only show that they could have.
 */
public final class HostilePublic {
  private static final String MALLORY = "mallory";
  private static final String PASSWORD = "mallory-password";

  private final TestDatabase database;

  private HostilePublic(TestDatabase database) {
    this.database = database;
  }

  /** Which schema sessions that do not say so look into first. */
  public enum Path {
    /** PostgreSQL's default: what fits better in {@code public} wins over {@code pg_catalog}. */
    CATALOG_FIRST,
    /** A database whose owner chose otherwise: all of {@code public} wins. */
    PUBLIC_FIRST
  }

  /** Sets the traps; on sessions opened from now on. */
  public static HostilePublic plant(TestDatabase database, Path path) throws SQLException {
    database.server().createRole(MALLORY, PASSWORD);
    database.execute("GRANT CREATE ON SCHEMA public TO " + MALLORY);
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), MALLORY, PASSWORD);
        Statement statement = connection.createStatement()) {
      statement.execute(script());
    }
    if (path == Path.PUBLIC_FIRST) {
      database.execute(
          "ALTER DATABASE " + database.name() + " SET search_path = public, pg_catalog");
    }
    return new HostilePublic(database);
  }

  /** Traps that somebody has stepped into since they were last asked for, under whose name. */
  public List<String> sprung() throws SQLException {
    return notes("true");
  }

  /** Those of sessions that the recorder itself has opened. */
  public List<String> sprungByTheRecorder() throws SQLException {
    return notes("application OPERATOR(pg_catalog.~~) 'recorder/%'");
  }

  private List<String> notes(String which) throws SQLException {
    List<String> notes = new ArrayList<>();
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = pg_catalog");
      try (ResultSet row =
          statement.executeQuery(
              "WITH old AS (DELETE FROM public.trapped RETURNING *) SELECT DISTINCT"
                  + " who || ' (' || application || ') called ' || what FROM old WHERE "
                  + which
                  + " ORDER BY 1")) {
        while (row.next()) {
          notes.add(row.getString(1));
        }
      }
    }
    return notes;
  }

  private static String script() {
    try (InputStream in =
        Objects.requireNonNull(HostilePublic.class.getResourceAsStream("/hostile-public.sql"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
