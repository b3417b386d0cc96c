package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.SettledSlots;
import dev.recorder.clearing.SettledSlots.SlotsStanding;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.slotlog.postgres.TickStatement;
import dev.recorder.testing.EndingSession;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the rows of slots go whose rows were cleared away, and what is proved without them. */
class DeletedSlotsIT {
  private ClearingSite site;

  @BeforeEach
  void create() throws Exception {
    site =
        new ClearingSite(
            TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), new MemoryStore());
  }

  @AfterEach
  void drop() throws Exception {
    site.close();
  }

  @Test
  @Tag("smoke")
  void rowsOfSlotsGoWithTheRowsThatTheyCovered() throws Exception {
    clearThree();

    site.tidy();

    assertThat(site.slots()).containsExactly("4", "5");
    site.assertProved(5);
    site.record("f");
    site.assertProved(6);
  }

  @Test
  void slotsThatTheTableStillHasRowsOfKeepTheirs() throws Exception {
    site.record("a", "b");
    site.rotate();
    site.record("c");

    site.tidy();

    assertThat(site.slots()).containsExactly("1", "2", "3");
  }

  /** It drew its id before the rotation, and is in a later slot than all rows beside it. */
  @Test
  void aLatecomerIsProvedFromBehindThemAndItsSlotsGoAfterIt() throws Exception {
    clearThree();
    site.tidy();
    site.log.run(
        "INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (9, 'l',"
            + " '{}')");
    site.record("f");
    site.assertProved(7);

    site.rotate();
    site.record("g", "h");
    site.tidy();
    assertThat(site.slots()).startsWith("4");

    site.clear(2);
    site.tidy();
    assertThat(site.slots()).containsExactly("8", "9");
    site.assertProved(9);
  }

  @Test
  void aTimersCounterGoesOn() throws Exception {
    try (DataSession data = new DataSession(site.log.sessions(), 1)) {
      TickStatement tick = new TickStatement(data, RebaseSite.ORDERS);
      tick.insert();
      tick.insert();
      site.log.record(1);
      site.rotate();
      tick.insert();
      site.log.record(1);
      site.clear(1);
      site.tidy();

      tick.insert();
    }
    assertThat(site.log.ask("SELECT payload->>'tick' FROM handoff.orders ORDER BY id"))
        .containsExactly("3", "4");
    assertThat(site.slots()).containsExactly("3");
  }

  /** By it is told whether this is still the server on which it was planned. */
  @Test
  void theNewestSlotThatWasPlannedHereKeepsItsRow() throws Exception {
    clearThree();
    // As if slots 4 and 5 had been adopted by their rows.
    site.log.run(
        "UPDATE recorder.slots SET window_from = NULL, window_to = NULL WHERE slot > 3",
        "TRUNCATE handoff.orders");

    site.tidy();

    assertThat(site.slots()).containsExactly("3", "4", "5");
  }

  @Test
  void whoHasLostTheTermDeletesNothing() throws Exception {
    clearThree();
    Term old = site.term();
    site.log.run("UPDATE recorder.lock_recorders SET epoch = epoch + 1");

    site.clearing().tidy(site.leaves(old), site.leaves(old).slots());

    assertThat(site.slots()).hasSize(5);
  }

  @Test
  void allThatWasPlannedForASlotGoes() throws Exception {
    site.log.insert("a");
    site.log.plan(1);
    site.log.insert("b");
    site.log.record(2);
    site.record("c");
    assertThat(site.log.ask("SELECT count(*) FROM recorder.slots WHERE slot = 1"))
        .containsExactly("2");
    site.rotate();
    site.record("d", "e");
    site.clear(1);

    site.tidy();

    assertThat(site.slots()).containsExactly("3", "4");
    site.assertProved(5);
  }

  @Test
  void manyAreDeletedInSmallSteps() throws Exception {
    clearThree();
    site.log.run(
        """
        INSERT INTO recorder.slots SELECT 1, n, 'x', 1, 'host-a', NULL, NULL, NULL, 1, '3', n, '3',
          n, 1, now() FROM generate_series(-2499, 0) n
        """);
    SettledSlots slots = site.leaves(site.term()).slots();

    assertThat(slots.delete(-2_500, 3)).isEqualTo(-1_500);
    assertThat(site.log.ask("SELECT min(slot) FROM recorder.slots")).containsExactly("-1499");
    assertThat(slots.delete(-1_500, 3)).isEqualTo(-500);
    assertThat(slots.delete(-500, 3)).isEqualTo(3);
    assertThat(slots.delete(3, 3)).isEqualTo(3);
    assertThat(site.slots()).containsExactly("4", "5");
  }

  /** Restored to a moment before the deletion, and once more to one before the clearing. */
  @Test
  void aDatabaseThatIsRestoredDeletesThemAgainAndHasTheSameChain() throws Exception {
    site.record("a", "b", "c");
    site.rotate();
    site.record("d", "e");
    TestDatabase beforeClearing = site.copied();
    site.clear(1);
    TestDatabase beforeDeletion = site.copied();
    site.tidy();
    site.record("lost");
    String chain = site.chain();

    try (ClearingSite restored = new ClearingSite(beforeDeletion, site.log.store)) {
      restored.tidy();
      assertThat(restored.slots()).containsExactly("4", "5");
      restored.record(); // Adopts slot 6, whose row this database never had.
      assertThat(restored.chain()).isEqualTo(chain);
      restored.record("f");
      restored.assertProved(7);
      beforeClearing.takePlaceOf(beforeDeletion);
    }
    try (ClearingSite restored = new ClearingSite(beforeClearing, site.log.store)) {
      restored.tidy();
      assertThat(restored.slots()).hasSize(5);
      restored.clear(1);
      restored.tidy();

      restored.record("g");
      restored.assertProved(8);
    }
  }

  /** Frozen and evicted, killed, cut off: for the database it is a session that ends. */
  @Test
  void whoeverDeletesMayEndAtAnyStatement() throws Exception {
    int rows = 0;
    boolean ends = true;
    for (int calls = 1; ends; calls++) {
      site.record("old" + calls, "new" + calls);
      rows += 2;
      site.rotate();
      site.record("newest" + calls);
      rows++;
      site.clear(1);
      try (Connection doomed = site.log.sessions().openData()) {
        site.tidy(site.term(), EndingSession.after(calls, doomed));
        ends = false;
      } catch (DatabaseException ended) {
        site.assertProved(rows);
        site.tidy();
      }
      assertThat(site.slots()).as("ended at call " + calls).hasSizeLessThanOrEqualTo(2);
    }
    site.assertProved(rows);
  }

  /** All leaves are empty but for these, and nobody may have looked at them before. */
  @Test
  void rowsThatComeAndAreRecordedAtTheLastMomentKeepTheirSlots() throws Exception {
    clearThree();
    site.log.run("TRUNCATE handoff.orders");
    JdbcHandoffLeaves leaves = site.leaves(site.term());
    SettledSlots slots = leaves.slots();

    site.clearing()
        .tidy(
            leaves,
            new SettledSlots() {
              @Override
              public SlotsStanding look() {
                try {
                  site.record("f", "g");
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                return slots.look();
              }

              @Override
              public long delete(long after, long upTo) {
                try {
                  return site.leaves(site.term()).slots().delete(after, upTo);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              }
            });

    assertThat(site.slots()).containsExactly("4", "5", "6", "7");
  }

  /** Slots 1 to 3 are cleared away, slots 4 and 5 are kept. */
  private void clearThree() throws Exception {
    site.record("a", "b", "c");
    site.rotate();
    site.record("d", "e");
    site.clear(1);
  }
}
