package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import dev.recorder.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever changes the tables of a shop, its log alone rebuilds them. */
@Timeout(900)
class CapturedShopIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int CLIENTS = 3;
  private static final long SEED = Long.getLong("shop.seed", 42);
  private static final int SECONDS = Integer.getInteger("shop.seconds", 10);

  private S3Server s3;
  private Cluster cluster;
  private TestDatabase target;

  @BeforeEach
  void open() throws SQLException {
    s3 = S3Server.start();
    cluster =
        Cluster.on(
            PostgresServer.shared(),
            s3,
            Wiring.DIRECT,
            new Recording(List.of(Cluster.RECORDER), "100ms"));
    target = TestDatabase.createOwned();
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    target.close();
    s3.close();
  }

  @Test
  void randomChangesAreReplayedRowByRowWhileHostsAreKilled() throws Exception {
    makeTables();
    Host a = cluster.host("host-a", Set.of(Cluster.RECORDER), Particulars.PATIENT).start();
    Host b = cluster.host("host-b", Set.of(), Particulars.PATIENT).start();
    capture();

    try (Observer observer = new Observer(cluster.database())) {
      AtomicBoolean stopping = new AtomicBoolean();
      ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
      try {
        List<Future<?>> working = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
          working.add(clients.submit(new ShopWork(cluster.database(), SEED + client, stopping)));
        }
        TimeUnit.SECONDS.sleep(SECONDS);
        a.kill();
        observer.awaitWorking(b, SOON);
        a.start();
        TimeUnit.SECONDS.sleep(SECONDS);
        b.kill();
        observer.awaitWorking(a, SOON);
        stopping.set(true);
        for (Future<?> work : working) {
          work.get(2, TimeUnit.MINUTES);
        }
      } finally {
        stopping.set(true);
        clients.shutdownNow();
      }
    }

    long changes = cluster.database().number("SELECT count(*) FROM handoff.orders");
    cluster.awaitRecorded(changes, SOON);
    Product.Outcome replayed =
        cluster.run("replay", Cluster.RECORDER, "--into", target().toString(), "-o", "json");
    assertThat(replayed.exitCode()).as(replayed.output()).isZero();
    System.out.println("figure: " + changes + " changes of 17 tables replayed");
    for (String table : Shop.TABLES) {
      List<String> rows = rows(cluster.database(), table);
      assertThat(rows(target, table)).as(table).isEqualTo(rows);
    }
    assertThat(changes).as("enough to mean something").isGreaterThan(1_000);
  }

  /** As the application, which owns them. */
  private void makeTables() throws SQLException {
    try (Connection application = cluster.database().connect();
        Statement statement = application.createStatement()) {
      for (String definition : Shop.DEFINITIONS) {
        statement.execute(definition);
      }
    }
  }

  /** As an administrator would. */
  private void capture() throws Exception {
    administer(cluster.run("schema"));
    for (String table : Shop.TABLES) {
      String old = table.equals(Shop.KEYLESS) ? "all" : "key";
      administer(
          cluster.run(
              "capture", "add", table, "--recorder", Cluster.RECORDER, "--old", old, "--print"));
    }
    assertThat(cluster.run("capture", "check").exitCode()).isZero();
  }

  private void administer(Product.Outcome script) throws SQLException {
    assertThat(script.exitCode()).as(script.output()).isZero();
    try (Connection administrator = cluster.database().connectAsSuperuser();
        Statement statement = administrator.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script.output());
    }
  }

  private Path target() throws Exception {
    return Files.writeString(
        cluster.file("target.ini"),
        """
        [postgredb]
        endpoint = 127.0.0.1
        port = %d
        database = %s
        user = %s
        password = %s
        """
            .formatted(
                target.server().port(), target.name(), TestDatabase.ROLE, TestDatabase.PASSWORD));
  }

  /** As text, in some order; columns of one type may be declared otherwise in the target. */
  private static List<String> rows(TestDatabase database, String table) throws SQLException {
    return database.query(
        "SELECT t::text FROM %s t ORDER BY 1".formatted(table), row -> row.getString(1));
  }
}
