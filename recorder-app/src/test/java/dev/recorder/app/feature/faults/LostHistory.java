package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.ClusterStory;
import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.Producer;
import dev.recorder.app.harness.proof.Proof;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two hosts whose database is replaced by another one, which lacks what the first had recorded
 * last. The truth is the table of the database that is left.
 */
final class LostHistory implements AutoCloseable {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final Pattern ADOPTED =
      Pattern.compile(
          "WARN .*this database has lost history: slot (\\d+), which .+ wrote, is in S3 but was never planned here;"
              + " adopted by row identity, (\\d+) of its (\\d+) rows are in this database");

  final Cluster cluster;
  final Host a;
  final Host b;
  private final S3Server s3 = S3Server.start();
  private final TcpProxy address;
  private final Books books = new Books();
  private final List<Applications> applications = new ArrayList<>();
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
  void applicationsBegin() {
    applications.add(
        Applications.startPersistent(
            cluster.database(), Producer.several(3, books), Duration.ofMillis(20)));
  }

  /** They lose their database, or are stopped in the middle of something. */
  void applicationsEnd() throws InterruptedException {
    for (Applications each : applications) {
      each.stop();
    }
    applications.clear();
  }

  /** Commits a row, and returns its key. */
  String insert() throws SQLException {
    return Producer.insertOne(cluster.database(), books);
  }

  void awaitSlots(long more) throws Exception {
    long slot = observer.state().lastSlot();
    observer.await(more + " more slots", START_WITHIN, state -> state.lastSlot() >= slot + more);
  }

  /** Leads the hosts to the database that is left. From now on no object may change. */
  void moveTo(TestDatabase left) throws SQLException {
    objectsThen = cluster.bucket().hashes();
    books.doubtAll();
    observer.close();
    cluster.hasMovedTo(left);
    address.redirect(left.server().port());
    address.reset();
    observer = Observer.ofStory(left);
  }

  /** Ends the inserts, and proves the log: it also has rows that the database has lost. */
  void end() throws Exception {
    applicationsEnd();
    Proof proof = ClusterStory.prove(cluster, books);
    assertThat(proof.strays()).isPositive();
    assertThat(cluster.bucket().hashes()).containsAllEntriesOf(objectsThen);
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
