package dev.recorder.testing.servers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes and drops roles and databases on a server, on one session for all tests: a session for
 * each statement would take the processors for longer than the statement. Thread-safe.
 */
final class Administrator {
  private static final int VALID_SECONDS = 5;
  private static final int LOGS_PAGES = 15;

  private final PostgresServer server;

  // Guarded by this.
  private final Set<String> roles = new HashSet<>();
  private @Nullable Connection session;

  Administrator(PostgresServer server) {
    this.server = server;
  }

  /** Runs a statement; on a new session if the server has ended the one before. */
  synchronized void execute(String sql) throws SQLException {
    try {
      run(sql);
    } catch (SQLException failed) {
      if (isAlive()) {
        throw failed;
      }
      close();
      run(sql);
    }
  }

  /**
   * Creates a database with these clauses, by copying files: to log each page, which is what 15 and
   * newer do unless told, takes twice as long.
   */
  synchronized void createDatabase(String name, String clauses) throws SQLException {
    boolean logsPages = session().getMetaData().getDatabaseMajorVersion() >= LOGS_PAGES;
    execute("CREATE DATABASE " + name + " " + clauses + (logsPages ? " STRATEGY FILE_COPY" : ""));
  }

  /** Creates a role that may log in and nothing else, unless it is there. */
  synchronized void createRole(String name, String password) throws SQLException {
    if (!roles.contains(name)) {
      execute(
          """
          DO $$ BEGIN CREATE ROLE %s LOGIN PASSWORD '%s';
          EXCEPTION WHEN duplicate_object THEN NULL; END $$"""
              .formatted(name, password));
      roles.add(name);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = session().createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection session() throws SQLException {
    Connection current = session;
    if (current == null) {
      current = server.connectAsSuperuser("postgres");
      session = current;
    }
    return current;
  }

  private boolean isAlive() throws SQLException {
    return session != null && session.isValid(VALID_SECONDS);
  }

  synchronized void close() {
    Connection last = session;
    session = null;
    if (last != null) {
      try {
        last.close();
      } catch (SQLException gone) {
        // The server has ended it, which was to be.
      }
    }
  }
}
