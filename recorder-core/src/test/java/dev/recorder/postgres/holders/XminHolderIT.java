package dev.recorder.postgres.holders;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
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

  /** Whose snapshot begins where the oldest transaction that writes does. */
  @Test
  void namesNobodyWhoOnlyLooksMeanwhile() throws SQLException {
    try (Connection other = server.connectAsSuperuser("postgres");
        Connection looking = server.connectAsSuperuser("postgres");
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'left over'");
      try (Statement look = looking.createStatement()) {
        looking.setAutoCommit(false);
        looking.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        look.execute("SELECT 1");

        assertThat(oldest()).startsWith("the prepared transaction 'left over'");
      } finally {
        statement.execute("ROLLBACK PREPARED 'left over'");
      }
    }
  }

  /** Between two statements it has no snapshot. */
  @Test
  void namesASessionThatHasWrittenAndIsIdle() throws SQLException {
    try (Connection writer = server.connectAsSuperuser("postgres");
        Connection looking = server.connectAsSuperuser("postgres");
        Statement statement = writer.createStatement();
        Statement look = looking.createStatement()) {
      statement.execute("SET application_name = 'forgotten'");
      writer.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      looking.setAutoCommit(false);
      looking.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      look.execute("SELECT 1");

      assertThat(oldest()).contains("(forgotten, role postgres)");
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

  @Test
  void namesTheFeedbackOfAStandbyWithoutASlot() throws Exception {
    try (BaseBackup backup = BaseBackup.forStandby(server, server.port());
        PostgresServer standby = followingWithFeedback("").from(backup).start();
        Connection query = query(standby)) {
      server.advanceTo(server.nextXid() + 10);

      await()
          .untilAsserted(
              () ->
                  assertThat(oldest())
                      .startsWith("the feedback of the standby behind session ")
                      .contains("(standby): end the queries there"));
    }
  }

  /** Which holds the horizon even while its standby is away. */
  @Test
  void namesTheSlotOfAStandbyAlsoOnceThatIsGone() throws Exception {
    String named = "replication slot behind: let its standby catch up, or drop the slot";
    server.execute("SELECT pg_create_physical_replication_slot('behind')");
    try {
      try (BaseBackup backup = BaseBackup.forStandby(server, server.port());
          PostgresServer standby = followingWithFeedback("behind").from(backup).start();
          Connection query = query(standby)) {
        server.advanceTo(server.nextXid() + 10);

        await().untilAsserted(() -> assertThat(oldest()).isEqualTo(named));
        assertThat(query.isClosed()).isFalse();
        standby.kill();
      }
      assertThat(oldest()).isEqualTo(named);
    } finally {
      String free = "SELECT count(*) FROM pg_replication_slots WHERE NOT active";
      await().until(() -> ask(free).equals("1"));
      server.execute("SELECT pg_drop_replication_slot('behind')");
    }
    assertThat(oldest()).doesNotContain("replication slot");
  }

  private static PostgresServer.Builder followingWithFeedback(String slot) {
    return PostgresServer.builder()
        .set("hot_standby_feedback", "on")
        .set("wal_receiver_status_interval", "1s")
        .set("primary_slot_name", slot);
  }

  /** One on a standby that still has to see what was there when it began. */
  private static Connection query(PostgresServer standby) throws SQLException {
    Connection query = standby.connectAsSuperuser("postgres");
    query.setAutoCommit(false);
    query.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = query.createStatement()) {
      statement.execute("SELECT 1");
    }
    return query;
  }

  private static String ask(String sql) throws SQLException {
    try (Connection connection = server.connectAsSuperuser("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
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
