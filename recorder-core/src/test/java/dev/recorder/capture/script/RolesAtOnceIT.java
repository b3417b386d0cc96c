package dev.recorder.capture.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.CaptureNames;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Schema;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Roles belong to a server: two of its databases may be set up at the same moment. */
class RolesAtOnceIT {
  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'\
      """;

  private PostgresServer server;
  private TestDatabase one;
  private TestDatabase other;

  @BeforeEach
  void start() throws Exception {
    server = PostgresServer.start();
    one = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
    other = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
  }

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private interface SetUp {
    void run(Connection connection) throws SQLException;
  }

  /** Sets the second database up while the first has made the same, and is about to commit it. */
  private void atOnce(String first, SetUp second) throws Exception {
    try (Connection quicker = one.connectAsSuperuser();
        Connection later = other.connectAsSuperuser()) {
      quicker.setAutoCommit(false);
      run(quicker, first);
      CompletableFuture<Void> waits =
          CompletableFuture.runAsync(
              () -> {
                try {
                  second.run(later);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      Patience.await().until(() -> waits.isDone() || !other.one(WAITING).equals("0"));
      quicker.commit();
      waits.get(1, TimeUnit.MINUTES);
    }
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private String roles() throws SQLException {
    return one.one(
        "SELECT count(*) FROM pg_roles WHERE rolname IN ('recorder_capture', 'recorder_reader')");
  }

  @Test
  void bothCapturesMakeTheRole() throws Exception {
    String role = CaptureScript.role().get(0);

    atOnce(role, connection -> run(connection, role));

    assertThat(roles()).isEqualTo("1");
  }

  @Test
  void bothGrantIt() throws Exception {
    one.execute("CREATE ROLE " + CaptureNames.ROLE);
    String grant = "GRANT %s TO %s".formatted(CaptureNames.ROLE, TestDatabase.ROLE);

    atOnce(grant, connection -> run(connection, script()));

    assertThat(
            one.one(
                "SELECT count(DISTINCT roleid) FROM pg_auth_members WHERE member = '"
                    + TestDatabase.ROLE
                    + "'::regrole"))
        .isEqualTo("2");
  }

  @Test
  void bothSchemasMakeTheRoles() throws Exception {
    atOnce("CREATE ROLE " + CaptureNames.ROLE, connection -> run(connection, script()));

    assertThat(roles()).isEqualTo("2");
  }

  private static String script() {
    return new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of());
  }
}
