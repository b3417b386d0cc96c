package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private static final int SECONDS = Integer.getInteger("customers.seconds", 8);
  private static final String OPEN =
      "SELECT count(*) FROM handoff.customers WHERE request_status = 'new'";

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
    makeTables();
    start(a);
    start(b);
    capture();

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
    await().until(() -> cluster.database().number(OPEN) == 0);

    Map<String, byte[]> documents = cluster.documents(RECORDER);
    List<String> entities = column("SELECT DISTINCT entity_id FROM handoff.customers ORDER BY 1");
    for (String entity : entities) {
      assertThat(new String(documents.get(entity), UTF_8).strip())
          .as(entity)
          .isEqualTo(now(entity));
    }
    Product.Outcome proof = cluster.run("verify", RECORDER, "-o", "json");
    assertThat(proof.exitCode()).as(proof.output()).isZero();
    long looks =
        cluster
            .database()
            .number("SELECT count(*) FROM handoff.customers WHERE payload IS NOT NULL");
    long requests = cluster.database().number("SELECT count(*) FROM handoff.customers");
    System.out.println("figure: " + requests + " requests, " + looks + " of them second looks");
    assertThat(entities).hasSizeGreaterThan(8);
    assertThat(column("SELECT error_text FROM handoff.customers WHERE request_status = 'error'"))
        .isEmpty();
  }

  /** As the application, which owns them. */
  private void makeTables() throws SQLException {
    try (Connection application = cluster.database().connect();
        Statement statement = application.createStatement()) {
      for (String definition : CustomerWork.DEFINITIONS) {
        statement.execute(definition);
      }
    }
  }

  private static void start(Host host) throws InterruptedException {
    host.start();
    host.awaitLog("processing requests", SOON);
  }

  private void capture() throws Exception {
    administer(cluster.run("schema"));
    for (int i = 0; i < CustomerWork.ENTITIES.size(); i += 2) {
      administer(
          cluster.run(
              "capture",
              "add",
              CustomerWork.ENTITIES.get(i),
              "--recorder",
              RECORDER,
              "--entity",
              CustomerWork.ENTITIES.get(i + 1),
              "--print"));
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

  private List<String> column(String sql) throws SQLException {
    return cluster.database().query(sql, row -> row.getString(1));
  }

  /** What the query makes of it, asked by the test itself. */
  private String now(String entity) throws SQLException {
    String sql =
        "SELECT row_to_json(q) FROM (" + CustomerWork.QUERY.replace(":entity", "?::int") + ") AS q";
    try (Connection connection = cluster.database().connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, entity);
      ResultSet row = statement.executeQuery();
      return row.next() ? row.getString(1) : "{\"deleted\":true}";
    }
  }
}
