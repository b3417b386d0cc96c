package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException.Kind;
import dev.recorder.testing.GreetingTap;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestDatabase;
import dev.recorder.testing.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that recorders cannot work with are told apart, at the first connection. */
class SessionsIT {
  private TestDatabase database;

  @BeforeEach
  void createDatabase() throws SQLException {
    database = TestDatabase.create();
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    database.close();
  }

  @Test
  void aServerOlderThan14IsRefused() throws Exception {
    String own = one(database, "SELECT current_setting('server_version')");
    String old = "13" + own.substring(2);
    try (GreetingTap tap = GreetingTap.ofVersion(database.server().port(), own, old)) {
      assertRefused(
          TestSessions.of(database, "one", tap.port()),
          Kind.UNUSABLE,
          "PostgreSQL 13 at recorder@127.0.0.1:" + tap.port(),
          "is too old: 14 or newer is needed");
    }
    try (GreetingTap tap =
        GreetingTap.ofVersion(database.server().port(), own, "14" + own.substring(2))) {
      TestSessions.of(database, "one", tap.port()).openData().close();
    }
  }

  @Test
  void aPoolerIsRefused() throws Exception {
    try (GreetingTap tap = GreetingTap.ofPooler(database.server().port())) {
      assertRefused(
          TestSessions.of(database, "one", tap.port()),
          Kind.UNUSABLE,
          "a connection pooler stands in front of recorder@127.0.0.1:" + tap.port(),
          "give the server's own endpoint");
    }
  }

  @Test
  void aStandbyServerIsRefused() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        TestDatabase copy = TestDatabase.createOn(server, PostgresServer.SUPERUSER)) {
      Path data = Path.of(one(copy, "SHOW data_directory"));
      Files.createFile(data.resolve("standby.signal"));
      server.restart();
      assertRefused(
          TestSessions.of(copy, "one"),
          Kind.UNUSABLE,
          "is a standby server (read-only); give the primary's endpoint");
      Files.delete(data.resolve("standby.signal"));
      server.restart();
    }
  }

  @Test
  void aDatabaseThatTakesBytesThatAreNoTextIsRefused() throws Exception {
    database
        .server()
        .execute("CREATE DATABASE no_text ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    try {
      Sessions sessions = new Sessions(TestSettings.neighbour("no_text", database), "one");
      assertRefused(sessions, Kind.UNUSABLE, "has the encoding SQL_ASCII", "encoding UTF8");
    } finally {
      database.server().execute("DROP DATABASE no_text WITH (FORCE)");
    }
  }

  @Test
  void aRoleThatDoesNotExistIsAMatterOfRights() {
    assertRefused(TestSessions.of(database, "one", "nobody"), Kind.RIGHTS, "nobody", "SQLSTATE 28");
  }

  private static void assertRefused(Sessions sessions, Kind kind, String... said) {
    assertThatThrownBy(sessions::openControl)
        .isInstanceOfSatisfying(
            DatabaseException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(kind);
              assertThat(e.getMessage()).contains(said).doesNotContain(TestDatabase.PASSWORD);
            });
  }

  private static String one(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
