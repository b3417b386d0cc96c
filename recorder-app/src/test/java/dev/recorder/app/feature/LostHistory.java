package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Inserts;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.SurvivingRows;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import dev.recorder.testing.TcpProxy;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two hosts whose database is replaced by another one, which lacks what the first had recorded
 * last. The truth is the table of the database that is left, read with nothing of the product.
 */
final class LostHistory implements AutoCloseable {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Pattern ADOPTED =
      Pattern.compile(
          "WARN .*this database has lost history: slot (\\d+) is in S3 but was never planned here;"
              + " adopted by row identity, (\\d+) of its (\\d+) rows are in this database");

  final Cluster cluster;
  final Host a;
  final Host b;
  private final S3Server s3 = S3Server.start();
  private final TcpProxy address;
  private final List<Inserts> applications = new ArrayList<>();
  private Observer observer;
  private boolean closed;
  private Map<String, String> objectsThen = Map.of();

  LostHistory(PostgresServer postgres, String linger) throws SQLException {
    address = TcpProxy.to(postgres.port());
    cluster = Cluster.on(postgres, address.port(), s3, Wiring.BY_PROXIES, linger);
    a = cluster.host("host-a", true);
    b = cluster.host("host-b", false);
    observer = Observer.ofStory(cluster.database());
  }

  /** An adoption that a host has warned of. */
  record Adoption(int rowsHere, int rowsInObject) {}

  void begin() throws Exception {
    a.start();
    observer.await("first term", START_WITHIN, state -> a.name().equals(state.holder()));
    b.start();
    observer.awaitReady(b, START_WITHIN);
  }

  Observer observer() {
    return observer;
  }

  /** Applications insert, until {@link #applicationsEnd}. */
  void applicationsBegin(String name) {
    applications.add(Inserts.start(cluster.database(), name, 3));
  }

  /** They lose their database, or are stopped in the middle of something. */
  void applicationsEnd() throws InterruptedException {
    for (Inserts application : applications) {
      application.close();
    }
    applications.clear();
  }

  void insert(String key) throws SQLException {
    cluster
        .database()
        .execute(
            "INSERT INTO handoff.orders (key, payload) VALUES ('"
                + key
                + "', '{\"order\": \""
                + key
                + "\"}')");
  }

  void awaitSlots(long more) throws Exception {
    long slot = observer.state().lastSlot();
    observer.await(more + " more slots", START_WITHIN, state -> state.lastSlot() >= slot + more);
  }

  /** Leads the hosts to the database that is left. From now on no object may change. */
  void moveTo(TestDatabase left) throws SQLException {
    objectsThen = cluster.bucket().hashes();
    observer.close();
    cluster.hasMovedTo(left);
    address.redirect(left.server().port());
    address.reset();
    observer = Observer.ofStory(left);
  }

  /** Ends the inserts, waits until all is recorded, stops the hosts and proves the log. */
  SurvivingRows end() throws Exception {
    applicationsEnd();
    await("every row of the table is in the bucket")
        .atMost(START_WITHIN)
        .until(() -> SurvivingRows.of(cluster.bucket(), cluster.database()).missing().isEmpty());
    for (Host host : List.of(a, b)) {
      if (host.isRunning()) {
        host.terminate();
        assertThat(host.awaitExit(Duration.ofSeconds(60))).as(host.name()).isZero();
      }
    }
    SurvivingRows rows = SurvivingRows.of(cluster.bucket(), cluster.database());
    assertThat(rows.areEachRecordedOnce()).as(rows.toString()).isTrue();
    assertThat(cluster.bucket().hashes()).containsAllEntriesOf(objectsThen);
    assertVerifyFindsNothing();
    return rows;
  }

  void assertVerifyFindsNothing() throws Exception {
    Product.Outcome verify = cluster.run("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    JsonNode verdict = new ObjectMapper().readTree(verify.output());
    assertThat(verdict.path("ok").asBoolean()).isTrue();
    assertThat(verdict.path("rows").asInt()).isEqualTo((int) cluster.bucket().rows());
  }

  /** What both hosts have warned of, by slot; fails if a slot was warned of twice. */
  Map<Long, Adoption> adoptions() {
    Map<Long, Adoption> adoptions = new TreeMap<>();
    for (Host host : List.of(a, b)) {
      for (String line : host.log()) {
        Matcher adopted = ADOPTED.matcher(line);
        if (adopted.find()) {
          Adoption adoption =
              new Adoption(Integer.parseInt(adopted.group(2)), Integer.parseInt(adopted.group(3)));
          assertThat(adoptions.put(Long.parseLong(adopted.group(1)), adoption)).as(line).isNull();
        }
      }
    }
    return adoptions;
  }

  /** The receipts, as operators see them. */
  String receipts() throws Exception {
    Product.Outcome takeovers = cluster.run("takeovers", "-o", "json");
    assertThat(takeovers.exitCode()).isZero();
    return takeovers.output();
  }

  static long askNumber(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  void printLogs() {
    for (Host host : cluster.hosts()) {
      System.err.println("log of " + host.name() + ":");
      host.log().forEach(line -> System.err.println("  " + line));
    }
  }

  /** While the last database's server runs; a second call does nothing. */
  @Override
  public void close() throws Exception {
    if (closed) {
      return;
    }
    closed = true;
    applicationsEnd();
    observer.close();
    cluster.close();
    address.close();
    s3.close();
  }
}
