package dev.recorder.app.feature.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.SiteAdministrator;
import dev.recorder.app.harness.proof.EntityDocuments;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.SQLException;
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

/** Whatever changes the tables of customers, each one's document is what its query says. */
@Timeout(900)
class DocumentedCustomersIT {
  private static final String RECORDER = "customers";
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int CLIENTS = 4;
  private static final long SEED = Long.getLong("customers.seed", 42);
  private static final int SECONDS = Integer.getInteger("customers.seconds", 4);
  private static final String FAILED =
      "SELECT error_text FROM handoff.customers WHERE request_status = 'error'";

  private S3Server s3;
  private Cluster cluster;

  @BeforeEach
  void open() throws SQLException {
    s3 = S3Server.start();
    cluster =
        Cluster.on(
            PostgresServer.shared(),
            s3,
            Wiring.DIRECT,
            Recording.ofRequests(
                "[recorder:customers]\nlockid = 1\nkind = requests\nquery = "
                    + CustomerWork.QUERY
                    + "\n"));
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    s3.close();
  }

  @Test
  void atRestEachDocumentIsWhatTheQuerySaysThoughHostsWereKilled() throws Exception {
    Host a = cluster.host("host-a", Set.of(), Particulars.PATIENT);
    Host b = cluster.host("host-b", Set.of(), Particulars.PATIENT);
    SiteAdministrator administrator = new SiteAdministrator(cluster);
    administrator.makeTables(CustomerWork.DEFINITIONS);
    start(a);
    start(b);
    administrator.administer("schema");
    EntityDocuments documents =
        EntityDocuments.capture(cluster, RECORDER, CustomerWork.QUERY, CustomerWork.ENTITIES);

    AtomicBoolean stopping = new AtomicBoolean();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> working = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        working.add(clients.submit(new CustomerWork(cluster.database(), SEED + client, stopping)));
      }
      TimeUnit.SECONDS.sleep(SECONDS);
      a.kill();
      TimeUnit.SECONDS.sleep(SECONDS / 2);
      start(a);
      b.kill();
      TimeUnit.SECONDS.sleep(SECONDS / 2);
      start(b);
      stopping.set(true);
      for (Future<?> work : working) {
        work.get(2, TimeUnit.MINUTES);
      }
    } finally {
      stopping.set(true);
      clients.shutdownNow();
    }
    long requests = documents.awaitDone(SOON);
    assertThat(documents.others()).isEmpty();
    Product.Outcome proof = cluster.run("verify", RECORDER, "-o", "json");
    assertThat(proof.exitCode()).as(proof.output()).isZero();
    long looks =
        cluster
            .database()
            .number("SELECT count(*) FROM handoff.customers WHERE payload IS NOT NULL");
    System.out.println("figure: " + requests + " requests, " + looks + " of them second looks");
    assertThat(documents.count()).isPositive();
    assertThat(cluster.database().query(FAILED, row -> row.getString(1))).isEmpty();
  }

  private static void start(Host host) throws InterruptedException {
    host.start();
    host.awaitLog("processing requests", SOON);
  }
}
