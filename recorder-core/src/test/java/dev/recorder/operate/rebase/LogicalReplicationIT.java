package dev.recorder.operate.rebase;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A database that moves to another server by logical replication, as RDS blue/green does. */
class LogicalReplicationIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** More than the test uses up on the new server. */
  private static final long AHEAD = 2_000;

  private final MemoryStore store = new MemoryStore();
  private PostgresServer publisher;
  private PostgresServer subscriber;
  private RebaseSite old;
  private RebaseSite moved;

  @BeforeEach
  void startServers() throws Exception {
    publisher = PostgresServer.builder().set("wal_level", "logical").start();
    subscriber = PostgresServer.start();
    publisher.advanceTo(subscriber.nextXid() + AHEAD);
    old = new RebaseSite(publisher, store);
    moved = new RebaseSite(subscriber, store).createTables();
    assertThat(old.setUp()).isEmpty();
  }

  @AfterEach
  void stopServers() throws Exception {
    subscriber.close();
    publisher.close();
  }

  @Test
  void rowsArriveAndTheLogGoesOnAfterARebase() throws Exception {
    old.insert("a", "b");
    old.record(1);
    replicate();
    old.insert("c");
    await()
        .atMost(DEADLINE)
        .untilAsserted(() -> assertThat(moved.keys()).containsExactly("a", "b", "c"));

    assertThat(moved.setUp()).contains("subscription moving writes into table handoff.orders");
    moved.assertRebaseRefused(DatabaseErrorKind.BUSY, "ALTER SUBSCRIPTION moving DISABLE");

    moved.database.execute(
        "ALTER SUBSCRIPTION moving DISABLE",
        "SELECT setval(pg_get_serial_sequence('handoff.orders', 'id'), 3)");
    assertThat(moved.setUp()).contains("recorder rebase orders");
    moved.assertRebases(0, 2, 1);
    moved.insert("d");
    assertThat(moved.setUp()).isEmpty();
    moved.record(1);
    assertThat(moved.verify().ok()).isTrue();
    assertThat(store.objects().keySet().stream().filter(key -> key.contains("/0"))).hasSize(4);
  }

  private void replicate() throws Exception {
    old.database.execute(
        "CREATE PUBLICATION moving FOR TABLE handoff.orders, recorder.lock_recorders,"
            + " recorder.slots, recorder.exclusions");
    moved.database.execute(
        "CREATE SUBSCRIPTION moving CONNECTION 'host=127.0.0.1 port=%d user=postgres dbname=%s'"
                .formatted(publisher.port(), old.database.name())
            + " PUBLICATION moving");
    // All tables are there, and what was in them has come.
    await()
        .atMost(DEADLINE)
        .untilAsserted(
            () -> {
              assertThat(moved.keys()).containsExactly("a", "b");
              assertThat(moved.ask("SELECT slot FROM recorder.slots ORDER BY slot"))
                  .containsExactly("1", "2");
              assertThat(moved.ask("SELECT last_slot FROM recorder.lock_recorders"))
                  .containsExactly("2");
            });
  }
}
