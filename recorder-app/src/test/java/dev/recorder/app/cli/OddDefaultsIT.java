package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.log.ReplayCommandIT;
import dev.recorder.testing.OddDefaults;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database whose administrator has given its sessions other defaults than the server's. */
@Timeout(300)
class OddDefaultsIT {
  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void create() throws Exception {
    site = TestSite.create(folder);
    OddDefaults.giveTo(site.database);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aHostRecordsAndCommandsAnswerAsAnywhere() throws Exception {
    site.start();
    site.record("orders", 3);
    site.execute("INSERT INTO handoff.orders (payload) VALUES ('{\"a\": \"\\u00e9\"}')");
    site.record("orders", 1);

    site.run("check", "--online").exits(0);
    site.run("status").exits(0);
    site.run("verify", "orders").exits(0);
    site.run("takeovers").exits(0);
    assertThat(site.ask("SELECT count(*) FROM recorder.takeovers WHERE reason = 'start'"))
        .isEqualTo("2");
  }

  /** The limits of the database are a second, for a statement and for a lock. */
  @Test
  void aVerifyThatWaitsForLongerThanTheLimitsOfItsRoleEnds() throws Exception {
    site.start();
    site.record("orders", 3);
    site.stop();

    waiting(site.database, "handoff.orders", "verify", "orders").exits(0);
  }

  @Test
  void aReplayThatWaitsForLongerThanTheLimitsOfItsRoleEnds() throws Exception {
    site.start();
    site.execute("CREATE SEQUENCE recorder.capture_orders_seq");
    try (TestDatabase target = TestDatabase.createOwned()) {
      OddDefaults.giveTo(target);
      Path into = site.write("target.ini", ReplayCommandIT.database(target));
      change("schema", 1, ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}],\"key\":[\"id\"]");
      change("insert", 2, ",\"key\":{\"id\":1},\"after\":{\"id\":1}");
      site.run("replay", "orders", "--into", into.toString()).exits(0);
      change("insert", 3, ",\"key\":{\"id\":2},\"after\":{\"id\":2}");

      waiting(target, "public.account", "replay", "orders", "--into", into.toString()).exits(0);

      assertThat(target.number("SELECT count(*) FROM public.account")).isEqualTo(2);
    }
  }

  private void change(String op, int seq, String members) throws Exception {
    site.execute(
        "INSERT INTO handoff.orders (payload) VALUES ('{\"by\":\"recorder_capture\",\"op\":\"%s\",\"table\":\"public.account\",\"seq\":%d%s}')"
            .formatted(op, seq, members));
    site.record("orders", 0);
  }

  /** A command whose table is locked until it has waited for longer than the limits. */
  private Run waiting(TestDatabase database, String table, String... command) throws Exception {
    try (Connection other = database.connectAsSuperuser();
        Statement statement = other.createStatement()) {
      statement.execute("SET idle_in_transaction_session_timeout = 0");
      statement.execute("SET idle_session_timeout = 0");
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Run> run = CompletableFuture.supplyAsync(() -> site.run(command));
      Patience.await()
          .until(
              () ->
                  run.isDone()
                      || database.number(
                              "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                  + " AND wait_event_type = 'Lock'"
                                  + " AND clock_timestamp() - query_start > interval '1500 ms'")
                          > 0);
      other.rollback();
      return run.get(Patience.A_MINUTE.toSeconds(), TimeUnit.SECONDS);
    }
  }
}
