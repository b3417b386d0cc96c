package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.network.TcpProxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands whose session gets no answer any more: the network drops what the server sends. */
class SwallowedAnswersIT extends OwnSite {
  private static final String ASKING =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'recorder/host-a/query' AND query LIKE '%lock_recorders%'\
      """;

  private TcpProxy proxy;
  private Path throughProxy;

  @BeforeEach
  void aProxy() throws Exception {
    proxy = TcpProxy.to(site.database.server().port());
    throughProxy = site.write("proxy.ini", site.textWithPort(proxy.port()));
  }

  @AfterEach
  void closeTheProxy() {
    proxy.close();
  }

  @Test
  void aMonitorIsToldThatTheDatabaseDoesNotAnswer() throws Exception {
    site.runOnce();
    proxy.delay(Duration.ofMillis(100)); // It is still asking when the answers stop.
    CompletableFuture<Run> check = run("status", "--check");
    await().until(() -> site.database.number(ASKING) > 0);

    proxy.pauseToClient();

    ended(check).exits(2).prints("RECORDER CRITICAL - ");
  }

  @Test
  void aDrainThatWasOrderedSaysThatItsOutcomeIsNotKnown() throws Exception {
    site.runOnce();
    try (Connection ghost = ghost()) {
      CompletableFuture<Run> drain = run("drain", "host-b", "--wait", "2");
      await()
          .until(() -> site.database.number("SELECT count(*) FROM recorder.operator_orders") > 0);

      proxy.pauseToClient();

      ended(drain)
          .exits(69)
          .inOneLine()
          .says("what became of the order to host host-b is not known");
      assertThat(ghost.isClosed()).isFalse();
    }
  }

  @Test
  void aSwitchoverThatWasOrderedSaysThatItsOutcomeIsNotKnown() throws Exception {
    site.start();
    try (Connection ghost = ghost()) {
      CompletableFuture<Run> switchover = run("switchover", "orders", "--to", "host-b");
      await()
          .until(() -> site.database.number("SELECT count(*) FROM recorder.operator_orders") > 0);

      proxy.pauseToClient();

      ended(switchover).exits(69).inOneLine().says("what became of the order to hand recorder");
      assertThat(ghost.isClosed()).isFalse();
    }
  }

  private CompletableFuture<Run> run(String... args) {
    return CompletableFuture.supplyAsync(() -> Run.command(throughProxy, args));
  }

  private static Run ended(CompletableFuture<Run> command) throws Exception {
    await().until(command::isDone);
    return command.get();
  }

  /** The session of a machine that is alive and takes no order. */
  private Connection ghost() throws Exception {
    Connection session = site.database.connect();
    try (Statement statement = session.createStatement()) {
      statement.execute(
          """
          INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, able,
            pid, backend_start, version, config_hash)
          SELECT 'host-b', now() + interval '1 hour', 0, 2, '{1,2}', pid, backend_start, 'test',
            'none'
          FROM pg_stat_activity WHERE pid = pg_backend_pid()
          """);
    }
    return session;
  }
}
