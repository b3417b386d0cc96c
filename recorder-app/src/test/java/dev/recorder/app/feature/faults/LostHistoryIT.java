package dev.recorder.app.feature.faults;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.ClusterStory;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.Receipts;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.Dump;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The database is replaced by one that lacks the newest commits, or has them by other numbers. */
@Timeout(900)
class LostHistoryIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final String LAST_SLOT = "SELECT last_slot FROM recorder.lock_recorders";

  @Test
  void anAsynchronousStandbyThatIsPromotedGoesOnWithWhatItHas() throws Exception {
    try (PostgresServer primary = PostgresServer.start();
        TcpProxy replication = TcpProxy.to(primary.port());
        BaseBackup backup = BaseBackup.forStandby(primary, replication.port());
        PostgresServer standby = PostgresServer.builder().from(backup).start()) {
      LostHistory story = new LostHistory(primary, "1s");
      tell(
          story,
          () -> {
            story.begin();
            story.applicationsBegin();
            story.awaitSlots(2);
            TestDatabase left = story.cluster.database().on(standby);
            // A row that the standby gets, and the slot that holds it, which it does not.
            String arriving = "SELECT count(*) FROM handoff.orders WHERE key = '%s'";
            String onBoth = arriving.formatted(story.insert());
            await().until(() -> left.number(onBoth) == 1);
            replication.cut();
            story.awaitSlots(4);
            long lastSlot = story.observer().state().lastSlot();
            primary.kill();
            story.applicationsEnd();

            standby.execute("SELECT pg_promote(wait => false)");
            standby.awaitPromotion(SOON);
            long lastSlotLeft = left.number(LAST_SLOT);
            assertThat(lastSlotLeft).isLessThan(lastSlot - 2);
            story.moveTo(left);
            story.applicationsBegin();

            assertAdoptedByRows(story, lastSlotLeft + 1, lastSlot);
            story.awaitSlots(2);
            story.end();
          });
    }
  }

  @Test
  void aRestoreToAPointInTimeGoesOnWithWhatWasThereThen() throws Exception {
    try (TestFolder archive = TestFolder.create("archive");
        PostgresServer server = PostgresServer.builder().archiveInto(archive.path()).start();
        BaseBackup backup = BaseBackup.forRecovery(server, archive.path(), "then")) {
      LostHistory story = new LostHistory(server, "1s");
      tell(
          story,
          () -> {
            story.begin();
            story.applicationsBegin();
            story.awaitSlots(3);
            story.insert();
            story.cluster.database().execute("SELECT pg_create_restore_point('then')");
            story.awaitSlots(4);
            long lastSlot = story.observer().state().lastSlot();
            server.archiveAll();
            story.applicationsEnd();
            server.kill();

            try (PostgresServer restored = PostgresServer.builder().from(backup).start()) {
              TestDatabase left = story.cluster.database().on(restored);
              restored.awaitPromotion(SOON);
              // One that was planned then and had no answer yet is its own.
              long lastSlotLeft = left.number("SELECT max(slot) FROM recorder.slots");
              assertThat(lastSlotLeft).isLessThan(lastSlot - 1);
              story.moveTo(left);
              story.applicationsBegin();

              assertAdoptedByRows(story, lastSlotLeft + 1, lastSlot);
              story.awaitSlots(2);
              story.end();
              story.close();
            }
          });
    }
  }

  /** In a build {@code RebaseIT} and {@code RebaseCommandIT}. */
  @Tag("nightly")
  @Test
  void aDumpThatIsRestoredIsRefusedUntilTheRebase() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        PostgresServer other = PostgresServer.start()) {
      LostHistory story = new LostHistory(server, "1s");
      tell(
          story,
          () -> {
            story.begin();
            story.applicationsBegin();
            // The new server has given out some numbers, and fewer.
            server.advanceTo(other.nextXid() + 5_000);
            story.awaitSlots(3);
            story.insert();
            Dump dump = Dump.of(story.cluster.database(), "recorder", "handoff", Receipts.SCHEMA);
            story.awaitSlots(3);
            story.applicationsEnd();
            story.a.terminate();
            assertThat(story.a.awaitExit(SOON)).isZero();
            story.b.terminate();
            assertThat(story.b.awaitExit(SOON)).isZero();
            story.insert();

            TestDatabase left =
                story.cluster.database().createAgainOn(other, PostgresServer.SUPERUSER);
            left.execute(story.cluster.run("schema").output());
            Receipts.createIn(left);
            dump.restoreInto(left);
            left.execute("GRANT recorder_producer TO " + TestDatabase.ROLE);
            story.moveTo(left);
            Map<String, String> objects = story.cluster.bucket().hashes();

            story.a.start();
            story.b.start();
            story.a.awaitLog("recorder orders is refused on this host", SOON);
            story.a.awaitLog("'recorder rebase orders'", SOON);
            story.b.awaitLog("'recorder rebase orders'", SOON);
            story.applicationsBegin();
            assertThat(story.cluster.run("rebase", "orders").exitCode()).isEqualTo(2);
            assertThat(story.cluster.run("rebase", "orders", "--dry-run").exitCode()).isEqualTo(77);
            assertThat(story.cluster.run("check", "--online").exitCode()).isNotZero();
            assertThat(story.cluster.run("rebase", "orders", "--yes").exitCode()).isEqualTo(77);
            assertThat(story.cluster.bucket().hashes()).isEqualTo(objects);

            left.execute("GRANT UPDATE (xid) ON handoff.orders TO " + TestDatabase.ROLE);
            Product.Outcome dry = story.cluster.run("rebase", "orders", "--dry-run");
            assertThat(dry.exitCode()).as(dry.output()).isZero();
            assertThat(dry.output()).contains("nothing was changed");
            assertThat(story.cluster.bucket().hashes()).isEqualTo(objects);
            Product.Outcome rebase = story.cluster.run("rebase", "orders", "--yes");
            left.execute("REVOKE UPDATE (xid) ON handoff.orders FROM " + TestDatabase.ROLE);
            assertThat(rebase.exitCode()).as(rebase.output()).isZero();
            assertThat(rebase.output()).contains("rebased: restart its hosts");
            assertThat(story.cluster.run("rebase", "orders", "--yes").output())
                .contains("needs no rebase");
            assertThat(story.cluster.bucket().hashes()).isEqualTo(objects);
            assertThat(left.number(LAST_SLOT)).isEqualTo(objects.size());

            story.a.kill();
            story.b.kill();
            story.begin();
            story.awaitSlots(2);
            assertThat(story.receipts())
                .contains("\"rebase\"", "rebased after slot " + objects.size());
            story.end();
          });
    }
  }

  /** Once per slot in the log of one host, and in the receipts. */
  private static void assertAdoptedByRows(LostHistory story, long first, long last)
      throws Exception {
    story
        .observer()
        .await("adoptions", SOON, state -> state.lastSlot() >= last && state.holder() != null);
    await()
        .untilAsserted(
            () ->
                assertThat(story.adoptions().keySet())
                    .containsAll(LongStream.rangeClosed(first, last).boxed().toList()));
    Map<Long, LostHistory.Adoption> adoptions = story.adoptions();
    // The primary may have got one further before it died.
    assertThat(adoptions.keySet()).allMatch(slot -> slot >= first && slot <= last + 1);
    assertThat(adoptions.get(first).rowsHere()).isPositive();
    assertThat(adoptions.get(last).rowsHere()).isZero();
    for (long slot = first; slot <= last; slot++) {
      assertThat(story.receipts())
          .contains("this database has lost history: slot " + slot + " by host-");
    }
  }

  @FunctionalInterface
  private interface Plot {
    void happen() throws Exception;
  }

  private static void tell(LostHistory story, Plot plot) throws Exception {
    try (story) {
      plot.happen();
    } catch (Throwable failed) {
      ClusterStory.printLogs(story.cluster);
      throw failed;
    }
  }
}
