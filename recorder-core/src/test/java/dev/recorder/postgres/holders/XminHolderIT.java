package dev.recorder.postgres.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an ordinary role is told of who holds the horizon back. */
class XminHolderIT {
  private static PostgresServer server;

  @BeforeAll
  static void start() throws SQLException {
    server = PostgresServer.builder().set("max_prepared_transactions", "5").start();
    server.createRole("plain", "plain-password");
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  void namesASessionOfAnotherRole() throws SQLException {
    try (Connection dump = server.connectAsSuperuser("postgres");
        Statement statement = dump.createStatement()) {
      statement.execute("SET application_name = 'pg_dump'");
      dump.setAutoCommit(false);
      dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT 1");

      assertThat(oldest()).contains("database session ").contains("(pg_dump, role postgres): end");
    }
  }

  @Test
  void namesAPreparedTransaction() throws SQLException {
    try (Connection other = server.connectAsSuperuser("postgres");
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'left over'");
      try {
        assertThat(oldest()).startsWith("the prepared transaction 'left over' of role postgres: ");
      } finally {
        statement.execute("ROLLBACK PREPARED 'left over'");
      }
    }
  }

  @Test
  void saysNothingOfOtherDatabases() throws SQLException {
    server.createDatabase("elsewhere", "plain");
    try (Connection dump = server.connectAsSuperuser("elsewhere");
        Statement statement = dump.createStatement()) {
      statement.execute("SET application_name = 'elsewhere'");
      dump.setAutoCommit(false);
      dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("SELECT 1");

      assertThat(oldest()).doesNotContain("elsewhere");
    }
  }

  private static String oldest() throws SQLException {
    Properties plain = new Properties();
    plain.setProperty("user", "plain");
    plain.setProperty("password", "plain-password");
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl("postgres"), plain)) {
      return XminHolderQuery.oldest(connection).map(XminHolder::what).orElse("");
    }
  }
}
