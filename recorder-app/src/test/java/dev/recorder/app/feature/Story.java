package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Ledger;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Producers;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.Proof;
import dev.recorder.app.harness.SettleJournal;
import dev.recorder.testing.HttpTap;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What all stories share: a cluster, applications that insert throughout, and the end, at which
 * every row must have been recorded once. A story that fails shows its hosts' logs.
 */
final class Story implements BeforeEachCallback, AfterEachCallback {
  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration RECORDED_WITHIN = Duration.ofSeconds(30);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final boolean ownDatabase;
  private final Ledger ledger = new Ledger();
  private PostgresServer postgres;
  private Cluster cluster;
  private Observer observer;
  private SettleJournal journal;
  private Producers producers;

  private static final class Servers {
    static final S3Server S3 = S3Server.start();
  }

  /** On the database server that all tests share. */
  Story() {
    this(false);
  }

  /** On a database server of its own, which may be killed; applications outlast that. */
  static Story withOwnDatabase() {
    return new Story(true);
  }

  private Story(boolean ownDatabase) {
    this.ownDatabase = ownDatabase;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    postgres = ownDatabase ? PostgresServer.start() : PostgresServer.shared();
    cluster = Cluster.on(postgres, Servers.S3, Wiring.BY_PROXIES, "300ms");
    observer = new Observer(cluster.database());
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    if (context.getExecutionException().isPresent()) {
      for (Host host : cluster.hosts()) {
        System.err.println("log of " + host.name() + ":");
        host.log().forEach(line -> System.err.println("  " + line));
      }
    }
    if (producers != null) {
      producers.close();
    }
    observer.close();
    cluster.close();
    if (ownDatabase) {
      postgres.close();
    }
  }

  /** The database server; to be harmed only if it is the story's own. */
  PostgresServer postgres() {
    return postgres;
  }

  Cluster cluster() {
    return cluster;
  }

  Observer observer() {
    return observer;
  }

  HttpTap tap() {
    return cluster.tap();
  }

  /** Lets hosts start one after the other, so that the first becomes active; then rows come in. */
  void begin(Host active, Host... standbys) throws Exception {
    active.start();
    observer.await("first term", START_WITHIN, state -> active.name().equals(state.holder()));
    for (Host standby : standbys) {
      standby.start();
    }
    for (Host standby : standbys) {
      observer.awaitReady(standby, START_WITHIN);
    }
    insertRows();
    observer.awaitWorking(active, START_WITHIN);
  }

  /** From now on applications insert, and every settled slot is noted. */
  void insertRows() throws SQLException {
    journal = SettleJournal.in(cluster.database());
    Duration pause = Duration.ofMillis(20);
    producers =
        ownDatabase
            ? Producers.startPersistent(cluster.database(), ledger, 3, pause)
            : Producers.start(cluster.database(), ledger, 3, pause);
  }

  /** Returns just after a slot was settled: between two slots, with the next one to fill first. */
  void awaitNextSlot() throws Exception {
    long slot = observer.state().lastSlot();
    observer.await("another slot", Duration.ofSeconds(20), state -> state.lastSlot() > slot);
  }

  /** Ends the inserts, waits for the rest to be recorded, stops all hosts, and proves the log. */
  void end() throws Exception {
    producers.stop();
    await("every committed row is in the bucket")
        .atMost(RECORDED_WITHIN)
        .until(() -> cluster.bucket().rows() >= ledger.rows());
    List<Host> running = cluster.hosts().stream().filter(Host::isRunning).toList();
    running.forEach(Host::terminate);
    for (Host host : running) {
      assertThat(host.awaitExit(STOP_WITHIN)).as("exit code of " + host.name()).isZero();
    }
    Proof proof = Proof.of(cluster.bucket(), ledger);
    assertThat(proof.holds()).as(proof.toString()).isTrue();
    assertThat(ledger.rows()).isPositive();
    assertEverySettleWasByTheHolder();
    assertVerifyFindsNothing();
  }

  private void assertVerifyFindsNothing() throws Exception {
    Product.Outcome verify = cluster.run("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    JsonNode verdict = new ObjectMapper().readTree(verify.output());
    assertThat(verdict.path("ok").asBoolean()).isTrue();
    assertThat(verdict.path("rows").asInt()).isEqualTo(ledger.rows());
  }

  /** Who moved the log, slot by slot. */
  List<SettleJournal.Settle> settles() throws SQLException {
    return journal.settles();
  }

  private void assertEverySettleWasByTheHolder() throws SQLException {
    assertThat(journal.settles())
        .isNotEmpty()
        .allSatisfy(settle -> assertThat(settle.machine()).isEqualTo(settle.holder()));
  }

  /** No PUT of a slot by {@code zombie} under {@code epoch} or an older one began since then. */
  void assertNoSlotPut(Host zombie, long epoch, long sinceNanos) {
    assertThat(cluster.slotPuts(zombie, epoch))
        .isNotEmpty()
        .noneMatch(request -> request.nanos() - sinceNanos > 0);
  }
}
