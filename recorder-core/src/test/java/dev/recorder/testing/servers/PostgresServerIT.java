package dev.recorder.testing.servers;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.testing.TestFolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PostgresServerIT {
  @Test
  void theServerIsTheOneThatWasChosen() throws SQLException {
    String chosen = ServerPrograms.chosen();
    PostgresServer server = PostgresServer.shared();

    String description = server.description();

    if (!chosen.equals(ServerPrograms.SYSTEM)) {
      assertThat(description).startsWith("PostgreSQL " + chosen + ".").endsWith(", JIT off");
    }
    assertThat(server.majorVersion()).isGreaterThanOrEqualTo(14);
  }

  /** As its users have it, and so as it will be used. */
  @Test
  void anInstalledServerIsNotToldWhetherToCompileQueries() throws Exception {
    assumeThat(ServerPrograms.missing(ServerPrograms.SYSTEM)).isEmpty();
    try (PostgresServer server = PostgresServer.builder().with(ServerPrograms.SYSTEM).start();
        Connection connection = server.connectAsSuperuser("postgres")) {
      assertThat(ask(connection, "SELECT source FROM pg_settings WHERE name = 'jit'"))
          .isEqualTo("default");
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> PostgresServer.builder().with("9").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the build has no PostgreSQL 9 in ");
  }

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

  @Test
  void aStandbyFollowsItsPrimaryUntilItIsPromoted() throws Exception {
    try (PostgresServer primary = PostgresServer.start();
        BaseBackup backup = BaseBackup.forStandby(primary, primary.port())) {
      primary.execute("CREATE TABLE t AS SELECT 1 AS a");
      try (PostgresServer standby = PostgresServer.builder().from(backup).start();
          Connection connection = standby.connectAsSuperuser("postgres")) {
        await().until(() -> ask(connection, "SELECT to_regclass('t')::text") != null);
        primary.kill();

        assertThat(ask(connection, "SELECT pg_promote()")).isEqualTo("t");

        assertThat(ask(connection, "INSERT INTO t VALUES (2) RETURNING a")).isEqualTo("2");
      }
    }
  }

  @Test
  void aBackupAndAnArchiveGiveTheServerAsItWasAtARestorePoint() throws Exception {
    try (TestFolder archive = TestFolder.create("archive");
        PostgresServer server = PostgresServer.builder().archiveInto(archive.path()).start();
        BaseBackup backup = BaseBackup.forRecovery(server, archive.path(), "before")) {
      server.execute("CREATE TABLE t AS SELECT 1 AS a", "SELECT pg_create_restore_point('before')");
      server.execute("INSERT INTO t VALUES (2)");
      server.archiveAll();

      try (PostgresServer restored = PostgresServer.builder().from(backup).start();
          Connection connection = restored.connectAsSuperuser("postgres")) {
        restored.awaitPromotion(Duration.ofSeconds(60));

        assertThat(ask(connection, "SELECT sum(a) FROM t")).isEqualTo("1");
      }
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    return TestDatabase.query(connection, sql, row -> row.getString(1)).get(0);
  }
}
