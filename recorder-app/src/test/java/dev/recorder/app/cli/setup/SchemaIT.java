package dev.recorder.app.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.testing.Copy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The printed SQL, run by an administrator, then used by roles that may do nothing else. */
class SchemaIT {
  private static final String PRODUCER = "shop";

  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void runTheScriptTwice() throws Exception {
    site = TestSite.withoutRights(folder);
    Run run = site.run("schema").exits(0).saysNothing();

    site.database.execute(run.out());
    site.database.execute(run.out());
    site.database.server().createRole(PRODUCER, "shop-password");
    site.database.execute("GRANT recorder_producer TO " + PRODUCER);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aMachineRunsWithTheLeastRights() throws Exception {
    site.start();
    try (Connection shop = shop()) {
      run(
          shop,
          "INSERT INTO handoff.orders (key, payload) SELECT i, '{}'"
              + " FROM generate_series(1, 250) i");
      Copy.in(shop, "COPY handoff.orders (key, payload) FROM STDIN", "a\t{\"a\": 1}\nb\t2\n");
    }
    site.record("orders", 3);
    site.stop();
    site.start();

    site.run("verify").exits(0);
    assertThat(site.run("cat", "orders").jsonLines()).hasSize(255);
    assertThat(site.run("check", "--online").out()).doesNotContain("FAILED");
    site.run("status").exits(0);
    site.run("takeovers").exits(0);
    site.run("pause", "orders", "--for", "1h", "--reason", "why").exits(0);
    site.run("resume", "orders").exits(0).prints("recorder orders is no longer paused");
    site.run("drain", "host-a", "--wait", "60").exits(75).prints("recorder orders: kept");
    site.run("undrain", "host-a", "--wait", "60").exits(0).prints("host-a accepts recorders again");
    // What becomes of an order to hand over, without a host to which it could go.
    site.execute(
        """
        INSERT INTO recorder.operator_orders (kind, lock_id, recorder, argument, take_within_ms, os_user)
        VALUES ('switchover', 1, 'orders', 'host-b', 1, 'me')
        """);
    site.execute(
        "UPDATE recorder.operator_orders SET state = 'taken', taken_at = now(), answer = '{}'");
    site.execute("DELETE FROM recorder.operator_orders");
  }

  @Test
  void producersInsertKeysAndPayloadsAndNothingElse() throws Exception {
    try (Connection shop = shop()) {
      run(shop, "INSERT INTO handoff.orders (payload) VALUES ('{}')");

      for (String forbidden :
          new String[] {
            "INSERT INTO handoff.orders (xid, payload) VALUES ('3', '{}')",
            "INSERT INTO handoff.orders (id, payload) OVERRIDING SYSTEM VALUE VALUES (1, '{}')",
            "INSERT INTO handoff.orders (time, payload) VALUES (now(), '{}')",
            "SELECT * FROM handoff.orders",
            "UPDATE handoff.orders SET key = 'x'",
            "DELETE FROM handoff.orders",
            "TRUNCATE handoff.orders",
            "INSERT INTO recorder.handoff_orders_0 (key, payload) VALUES ('x', '{}')",
            "SELECT * FROM recorder.lock_recorders"
          }) {
        assertForbidden(forbidden, () -> run(shop, forbidden));
      }
      String copy = "COPY handoff.orders (id, payload) FROM STDIN";
      assertForbidden(copy, () -> Copy.in(shop, copy, "7\t{}\n"));
    }
  }

  @Test
  void theRecordersRoleMayNotDeleteWhatItWrote() throws Exception {
    for (String forbidden :
        new String[] {
          "TRUNCATE recorder.slots",
          "DELETE FROM recorder.exclusions",
          "UPDATE recorder.slots SET row_count = 0",
          "DELETE FROM recorder.takeovers",
          "UPDATE recorder.operator_orders SET asked_by = 'another'",
          "DELETE FROM recorder.pauses",
          "INSERT INTO recorder.pauses (lock_id, os_user, db_user) VALUES (1, 'me', 'another')",
          "DELETE FROM handoff.orders",
          "UPDATE handoff.orders SET key = 'x'",
          "CREATE TABLE recorder.mine (a int)",
          "DROP TABLE recorder.slots"
        }) {
      assertForbidden(forbidden, () -> site.execute(forbidden));
    }
  }

  private static void assertForbidden(String what, ThrowingCallable deed) {
    assertThatThrownBy(deed)
        .as(what)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
  }

  private Connection shop() throws SQLException {
    return DriverManager.getConnection(site.database.jdbcUrl(), PRODUCER, "shop-password");
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
