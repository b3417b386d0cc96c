package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A copy of a database, and a host with a copy of the first one's file. */
@Timeout(900)
class TwoDatabasesIT {
  private static final Duration SOON = Duration.ofMinutes(3);

  private static final String DOCUMENTS =
      """

      [recorder:docs]
      lockid = 7
      kind = requests
      """;

  private static S3Server s3;
  private static PostgresServer server;
  private Cluster cluster;
  private Host production;
  private Host staging;

  @BeforeAll
  static void startServers() {
    s3 = S3Server.start();
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServers() throws Exception {
    server.close();
    s3.close();
  }

  @BeforeEach
  void begin() throws Exception {
    cluster =
        Cluster.on(
            server, s3, Wiring.DIRECT, new Recording(List.of(Cluster.RECORDER), "0s", DOCUMENTS));
    production = cluster.host("host-a", true);
    staging = cluster.host("host-s", false);
    production.start();
    awaitSettled(insert(cluster.database()));
    cluster
        .database()
        .execute(
            "INSERT INTO handoff.docs (entity_id, payload) VALUES ('e1', '{\"from\": \"app\"}')");
    awaitComplete(1);
  }

  @AfterEach
  void end() throws Exception {
    cluster.close();
  }

  @Test
  void aCopyInTheSameServerWritesNothingAndNoDocumentOfItIsTakenForOnesOwn() throws Exception {
    TestDatabase copy = copyInServer();
    staging.edit("database = " + cluster.database().name(), "database = " + copy.name());

    assertRefused("leads to server/" + copy.name());

    insert(copy);
    goesOn();

    // As an operator would have it who takes the copy for the original.
    assertThat(cluster.runOn(staging, "rebase", "docs", "--yes").exitCode()).isZero();
    staging.start();
    awaitUpdate(copy);
    isLeftAlone("server/" + copy.name());
  }

  @Test
  void aCopyOfTheSchemasInTheSameDatabaseWritesNothing() throws Exception {
    staging.edit(
        "known_as = server", "known_as = server\nschema = recorder_b\nhandoff_schema = handoff_b");
    TestDatabase database = cluster.database();
    database.execute(
        cluster.runOn(staging, "schema").output(),
        "INSERT INTO recorder_b.lock_recorders SELECT * FROM recorder.lock_recorders",
        "UPDATE recorder_b.lock_recorders SET holder = NULL, holder_pid = NULL",
        "INSERT INTO recorder_b.slots SELECT * FROM recorder.slots");

    assertRefused("leads to server/" + database.name() + "/recorder_b");

    goesOn();
  }

  @Test
  void aCopyThatWasRenamedIntoPlaceWritesNothingEither() throws Exception {
    TestDatabase copy = copyInServer();
    String name = cluster.database().name();
    production.kill();
    rename(name, "was_" + name);
    rename(copy.name(), name);

    assertRefused("another database of this name on the same server");

    assertThat(cluster.runOn(staging, "rebase", "orders", "--dry-run").output())
        .contains("nothing was changed");
    assertThat(cluster.runOn(staging, "rebase", "orders", "--yes").output()).contains("is rebased");
    assertThat(cluster.runOn(staging, "rebase", "docs", "--yes").output()).contains("is rebased");
    production.start();
    goesOn();
    server.execute("DROP DATABASE was_" + name);
  }

  @Test
  void requestsAreNotPinnedToAnotherNameWhileAHostWorksOnThem() throws Exception {
    await()
        .untilAsserted(
            () ->
                assertThat(cluster.run("explain", "docs").output())
                    .contains("host-a processes requests of docs"));
    staging.edit("known_as = server", "known_as = elsewhere");
    Product.Outcome held = cluster.runOn(staging, "rebase", "docs", "--yes");
    assertThat(held.exitCode()).as(held.output()).isEqualTo(75);

    production.kill();
    await()
        .untilAsserted(
            () ->
                assertThat(cluster.runOn(staging, "rebase", "docs", "--yes").output())
                    .contains("is rebased"));
  }

  /** In a build a copy by SQL, and the physical one that has the same name. */
  @Tag("nightly")
  @Test
  void aPhysicalCopyElsewhereWritesNothing() throws Exception {
    try (BaseBackup backup = BaseBackup.forStandby(server, server.port());
        PostgresServer other = PostgresServer.builder().from(backup).start()) {
      promote(other);
      staging.edit("known_as = server", "known_as = elsewhere");
      staging.edit("port = " + server.port(), "port = " + other.port());

      assertRefused("leads to elsewhere/");

      goesOn();
    }
  }

  @Test
  void theLogStopsAtASlotAndADocumentOfAPhysicalCopyThatHasTheSameName() throws Exception {
    try (BaseBackup backup = BaseBackup.forStandby(server, server.port());
        PostgresServer other = PostgresServer.builder().from(backup).start()) {
      promote(other);
      TestDatabase copy = cluster.database().on(other);
      staging.edit("port = " + server.port(), "port = " + other.port());
      staging.start();
      insert(copy);
      awaitSettledIn(copy, lastSlot(cluster.database()) + 1);
      awaitUpdate(copy);
      isLeftAlone(" on timeline 2");
      long foreign = lastSlot(cluster.database()) + 1;

      insert(cluster.database());
      production.awaitLog(
          "slot " + foreign + " of recorder orders is in S3, written by host-s", SOON);
      production.awaitLog("so two databases write one log", SOON);
      assertThat(lastSlot(cluster.database())).isEqualTo(foreign - 1);

      production.kill();
      Product.Outcome rebase = cluster.run("rebase", "orders", "--yes");
      assertThat(rebase.exitCode()).as(rebase.output()).isZero();
      production.start();
      awaitSettled(foreign + 1);
    }
  }

  /** Of the document, by the copy's host, which is killed then. */
  private void awaitUpdate(TestDatabase copy) throws Exception {
    copy.execute(UPDATE.formatted("copy"));
    await().until(() -> copy.number(COMPLETE) == 2);
    staging.kill();
  }

  /** The document, and the next request, which is put off again and again. */
  private void isLeftAlone(String writer) throws Exception {
    cluster.database().execute(UPDATE.formatted("app again"));
    await()
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .database()
                            .query(
                                "SELECT error_text FROM handoff.docs"
                                    + " WHERE request_status = 'new' OR attempts > 1",
                                row -> row.getString(1)))
                    .singleElement()
                    .asString()
                    .contains("was written from database server/", writer)
                    .contains("two databases write the same documents"));
    assertThat(cluster.database().number(COMPLETE)).isEqualTo(1);
  }

  private static final String UPDATE =
      "INSERT INTO handoff.docs (request_type, entity_id, payload)"
          + " VALUES ('update', 'e1', '{\"from\": \"%s\"}')";

  private static final String COMPLETE =
      "SELECT count(*) FROM handoff.docs WHERE request_status = 'complete'";

  /** Once nobody is in it any more. */
  private void rename(String database, String name) {
    await()
        .ignoreExceptions()
        .until(
            () -> {
              server.execute("ALTER DATABASE " + database + " RENAME TO " + name);
              return true;
            });
  }

  private TestDatabase copyInServer() throws Exception {
    production.kill();
    TestDatabase copy = cluster.database().copy();
    production.start();
    return copy;
  }

  private static void promote(PostgresServer copy) throws Exception {
    copy.execute("SELECT pg_promote(wait => false)");
    copy.awaitPromotion(SOON);
  }

  private void assertRefused(String why) throws Exception {
    Product.Outcome check = cluster.runOn(staging, "check", "--online");
    assertThat(check.exitCode()).as(check.output()).isEqualTo(78);
    assertThat(check.output()).contains(why);
    staging.start();
    staging.awaitLog("recorder orders is refused on this host", SOON);
    staging.awaitLog("recorder docs is refused on this host", SOON);
    staging.awaitLog(why, SOON);
    staging.kill();
  }

  /** The original, or what has taken its place, records as ever. */
  private void goesOn() throws Exception {
    awaitSettled(insert(cluster.database()));
    Product.Outcome verify = cluster.run("verify");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
  }

  /** Inserts a row; the slot that will hold it. */
  private static long insert(TestDatabase database) throws SQLException {
    await().ignoreExceptions().until(() -> lastSlot(database) >= 0);
    long next = lastSlot(database) + 1;
    database.execute("INSERT INTO handoff.orders (payload) VALUES ('{\"n\": 1}')");
    return next;
  }

  private void awaitSettled(long slot) {
    awaitSettledIn(cluster.database(), slot);
  }

  private static void awaitSettledIn(TestDatabase database, long slot) {
    await().ignoreExceptions().until(() -> lastSlot(database) >= slot);
  }

  private void awaitComplete(long requests) {
    await().ignoreExceptions().until(() -> cluster.database().number(COMPLETE) == requests);
  }

  private static long lastSlot(TestDatabase database) throws SQLException {
    return database.number("SELECT last_slot FROM recorder.lock_recorders WHERE lock_id = 1");
  }
}
