package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.ClusterSite;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.proof.EntityDocuments;
import dev.recorder.app.shop.CapturedShop;
import dev.recorder.app.shop.DocumentedShop;
import dev.recorder.app.shop.ShopClients;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever changes the tables of a shop, its log alone rebuilds them, and each customer's document
 * is what a query over all of them says. Of a build the soak's minute proves it, on the same shop.
 */
@Tag("nightly")
@Timeout(900)
class CapturedShopIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final long SEED = Long.getLong("shop.seed", 42);
  private static final Duration PART = Duration.ofSeconds(Integer.getInteger("shop.seconds", 4));

  /** Of each client: a test of a minute among others is not to take all processors. */
  private static final Duration PAUSE = Duration.ofMillis(Integer.getInteger("shop.pause", 100));

  private static final String CUSTOMERS = "customers";

  private ClusterSite site;
  private Cluster cluster;
  private TestDatabase target;

  @BeforeEach
  void open() throws SQLException {
    site =
        new ClusterSite(
            Wiring.BY_PROXIES,
            new Recording(
                List.of(Cluster.RECORDER), "100ms", DocumentedShop.section(CUSTOMERS, 99)));
    cluster = site.cluster();
    target = TestDatabase.createOwned();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
    target.close();
  }

  @Test
  void randomChangesAreReplayedRowByRowWhileHostsAreKilledAndCutOff() throws Exception {
    Host a = cluster.host("host-a", Set.of(Cluster.RECORDER), Particulars.PATIENT).start();
    Host b = cluster.host("host-b", Set.of(), Particulars.PATIENT).start();
    CapturedShop shop = CapturedShop.make(cluster, Cluster.RECORDER);
    EntityDocuments documented = DocumentedShop.of(cluster, CUSTOMERS);

    try (Observer observer = Observer.ofStory(cluster.database());
        ShopClients clients = ShopClients.start(cluster.database(), SEED, PAUSE)) {
      clients.workFor(PART);
      a.kill();
      observer.awaitWorking(b, SOON);
      a.start();
      cluster
          .database()
          .execute("SET session_replication_role = replica", "DELETE FROM token", "RESET ALL");
      shop.takeSnapshots();
      clients.workFor(PART);
      b.cut();
      observer.awaitWorking(a, SOON);
      b.heal();
      clients.workFor(PART);
      clients.stop();
    }

    long changes = shop.awaitRecorded(SOON);
    assertThat(shop.replayedOtherwise(target)).isEmpty();
    System.out.println("figure: " + changes + " changes of 17 tables replayed");
    assertThat(changes).as("enough to mean something").isGreaterThan(1_000);

    long requests = documented.awaitDone(SOON);
    assertThat(documented.others()).isEmpty();
    int documents = documented.count();
    System.out.println("figure: %d requests, %d documents".formatted(requests, documents));
    assertThat(documents).isGreaterThan(20);
    Product.Outcome proof = cluster.run("verify", CUSTOMERS);
    assertThat(proof.exitCode()).as(proof.output()).isZero();
  }

  /** That the proof notices: nothing is captured of a table for a moment. */
  @Test
  void whatIsMissedOfATriggerThatWasDisabledForAMomentASnapshotRepairs() throws Exception {
    cluster.host("host-a", Set.of(Cluster.RECORDER), Particulars.PATIENT).start();
    CapturedShop shop = CapturedShop.make(cluster, Cluster.RECORDER);
    EntityDocuments documented = DocumentedShop.of(cluster, CUSTOMERS);

    cluster
        .database()
        .execute(
            "INSERT INTO customer (id, name) VALUES (1, 'a'), (2, 'b')",
            "INSERT INTO counter VALUES (1, 0), (2, 0)");
    documented.awaitDone(SOON);
    cluster
        .database()
        .execute(
            "ALTER TABLE counter DISABLE TRIGGER USER",
            "UPDATE counter SET n = 7 WHERE id = 2",
            "ALTER TABLE counter ENABLE TRIGGER USER",
            "UPDATE counter SET n = 3 WHERE id = 1");
    shop.awaitRecorded(SOON);
    documented.awaitDone(SOON);

    assertThat(shop.replayedOtherwise(target))
        .singleElement()
        .asString()
        .startsWith("public.counter: 2 rows instead of 2, missing [(2,7)]");
    assertThat(documented.others())
        .singleElement()
        .asString()
        .startsWith("customers 2: ")
        .containsSubsequence("\"counter\":0", " instead of ", "\"counter\":7");

    shop.takeSnapshots();
    shop.awaitRecorded(SOON);

    assertThat(shop.replayedOtherwise(target)).isEmpty();
  }
}
