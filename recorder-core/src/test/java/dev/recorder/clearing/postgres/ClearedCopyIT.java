package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.testing.servers.Dump;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A log whose first slots have no rows in slots any more, brought to a server that numbers rows
 * otherwise.
 */
class ClearedCopyIT {
  /** More than a test uses up on the new server. */
  private static final long AHEAD = 2_000;

  private static PostgresServer newServer;

  private final MemoryStore store = new MemoryStore();
  private ClearingSite old;
  private RebaseSite restored;
  private String numberOfA;

  @BeforeAll
  static void startTheNewServer() {
    newServer = PostgresServer.start();
  }

  @AfterAll
  static void stopTheNewServer() throws Exception {
    newServer.close();
  }

  /** Slots 1 to 3 were cleared, 4 and 5 are kept. */
  @BeforeEach
  void restoreAClearedLog() throws Exception {
    PostgresServer.shared().advanceTo(newServer.nextXid() + AHEAD);
    old =
        new ClearingSite(TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), store);
    old.record("a", "b", "c");
    numberOfA = old.log.ask("SELECT xid::text FROM handoff.orders WHERE key = 'a'").get(0);
    old.rotate();
    old.record("d", "e");
    old.clear(1);
    old.tidy();
    restored = new RebaseSite(newServer, store).createTables();
    Dump.of(old.log.database, "recorder", "handoff").restoreInto(restored.database);
    assertThat(restored.setUp()).contains("recorder rebase orders");
  }

  @AfterEach
  void dropDatabases() throws Exception {
    old.close();
    restored.close();
  }

  @Test
  void itGoesOnAfterTheRebaseAndIsClearedOn() throws Exception {
    restored.runRebase();

    try (ClearingSite site = new ClearingSite(restored.database, store)) {
      site.record("f");
      site.assertProved(6);
      site.rotate();
      site.record("g", "h");
      site.clear(1);
      site.tidy();

      assertThat(site.slots()).containsExactly("7", "8");
      site.assertProved(8);
    }
  }

  /** As by a replication that leaves TRUNCATE out, while the log was cleared. */
  @Test
  void itIsRefusedIfItHasRowsThatWereClearedAway() throws Exception {
    restored.database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT xid_is_own",
        "INSERT INTO handoff.orders (id, xid, key, payload) OVERRIDING SYSTEM VALUE VALUES (1, '%s', 'a', '{}')"
            .formatted(numberOfA));

    assertThatThrownBy(restored::runRebase)
        .isInstanceOf(DatabaseException.class)
        .hasMessageStartingWith(
            "1 row in handoff.orders was cleared away where the table came from")
        .hasMessageContaining("in slots up to 3, which have no rows in recorder.slots");

    restored.run("DELETE FROM handoff.orders WHERE id = 1");
    assertThat(restored.runRebase().isNeeded()).isTrue();
  }
}
