package dev.recorder.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresServerIT {
  @Test
  void aDatabaseOfItsOwnForTheRecordersRole() throws SQLException {
    try (TestDatabase database = TestDatabase.createOwned();
        Connection connection = database.connect()) {
      run(connection, "CREATE SCHEMA mine");

      assertThat(ask(connection, "SELECT current_user")).isEqualTo("recorder");
      assertThat(ask(connection, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
          .isEqualTo("f");
    }
  }

  @Test
  void withoutOwnershipTheRoleMayOnlyConnect() throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection connection = database.connect()) {
      assertThatThrownBy(() -> run(connection, "CREATE SCHEMA mine"))
          .hasMessageContaining("permission denied");
    }
  }

  @Test
  void aWrongPasswordIsRefused() throws SQLException {
    try (TestDatabase database = TestDatabase.create()) {
      assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "recorder", "wrong"))
          .hasMessageContaining("password authentication failed");
    }
  }

  @Test
  void committedRowsSurviveKillAndRestart() throws Exception {
    try (PostgresServer server =
        PostgresServer.builder().durable().set("max_connections", "20").start()) {
      server.execute("CREATE TABLE t AS SELECT 1 AS a");
      long first = server.pid();

      server.kill();
      assertThat(server.isRunning()).isFalse();
      assertThatThrownBy(() -> server.connectAsSuperuser("postgres"))
          .isInstanceOf(SQLException.class);
      server.restart();
      long second = server.pid();
      server.restart();

      assertThat(server.pid()).isNotIn(first, second);
      try (Connection connection = server.connectAsSuperuser("postgres")) {
        assertThat(ask(connection, "SELECT a FROM t")).isEqualTo("1");
        assertThat(ask(connection, "SHOW fsync")).isEqualTo("on");
        assertThat(ask(connection, "SHOW max_connections")).isEqualTo("20");
      }
    }
  }

  @Test
  void aKilledServerCanBeClosed() throws Exception {
    PostgresServer server = PostgresServer.start();
    server.kill();

    server.close();

    assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
