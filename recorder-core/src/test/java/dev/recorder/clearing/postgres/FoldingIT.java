package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.SlotChain;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.slotlog.postgres.TickStatement;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.EndingSession;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of the rows of slots whose rows were cleared away, and what is proved without. */
class FoldingIT {
  private FoldingSite site;

  @BeforeEach
  void create() throws Exception {
    site =
        new FoldingSite(
            TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), new MemoryStore());
  }

  @AfterEach
  void drop() throws Exception {
    site.close();
  }

  @Test
  @Tag("smoke")
  void slotsWhoseRowsWereClearedAwayBecomeOneNote() throws Exception {
    clearThree();

    assertThat(site.fold()).isEmpty();

    assertThat(site.slots()).containsExactly("4", "5");
    assertThat(site.notes()).containsExactly("3 rows up to 3");
    site.assertProved(5);
    site.record("f");
    site.assertProved(6);
  }

  @Test
  void theHashIsThatOfAllObjectsInTheirOrder() throws Exception {
    clearThree();
    SlotChain chain = SlotChain.START;
    for (int slot = 1; slot <= 3; slot++) {
      ObjectStore.Body object = site.log.store.objects().get(RebaseSite.LAYOUT.slotKey(slot));
      chain = chain.then(object.metadata().get("sha256"), 1, object.bytes().length);
    }

    site.fold();

    assertThat(site.chain()).isEqualTo(chain.hash());
    assertThat(site.log.ask("SELECT bytes FROM recorder.folds"))
        .containsExactly(Long.toString(chain.bytes()));
  }

  @Test
  void slotsThatTheTableStillHasRowsOfStay() throws Exception {
    site.record("a", "b");
    site.rotate();
    site.record("c");

    assertThat(site.fold()).isEmpty();

    assertThat(site.slots()).containsExactly("1", "2", "3");
  }

  /** It drew its id before the rotation, and is in a later slot than all rows beside it. */
  @Test
  void aLatecomerIsProvedFromBehindTheFoldAndFoldedAfterIt() throws Exception {
    clearThree();
    site.fold();
    site.log.run(
        "INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (9, 'l',"
            + " '{}')");
    site.record("f");
    site.assertProved(7);

    site.rotate();
    site.record("g", "h");
    site.fold();
    assertThat(site.slots()).startsWith("4");

    site.clear(2);
    site.fold();
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
      site.fold();

      tick.insert();
    }
    assertThat(site.log.ask("SELECT payload->>'tick' FROM handoff.orders ORDER BY id"))
        .containsExactly("3", "4");
    assertThat(site.notes()).containsExactly("2 rows up to 2");
  }

  /** By it is told whether this is still the server on which it was planned. */
  @Test
  void theNewestSlotThatWasPlannedHereKeepsItsRow() throws Exception {
    clearThree();
    // As if slots 4 and 5 had been adopted by their rows.
    site.log.run(
        "UPDATE recorder.slots SET window_from = NULL, window_to = NULL WHERE slot > 3",
        "TRUNCATE handoff.orders");

    site.fold();

    assertThat(site.slots()).containsExactly("3", "4", "5");
  }

  @Test
  void whoHasLostTheTermFoldsNothing() throws Exception {
    clearThree();
    Term old = site.term();
    site.log.run("UPDATE recorder.lock_recorders SET epoch = epoch + 1");

    assertThat(site.clearing().fold(site.leaves(old), site.leaves(old).slots())).isEmpty();

    assertThat(site.slots()).hasSize(5);
    assertThat(site.notes()).isEmpty();
  }

  @Test
  void ofSeveralThatWerePlannedTheOneInTheStoreIsFolded() throws Exception {
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
    String first = RebaseSite.LAYOUT.slotKey(1);
    ObjectStore.Body object = site.log.store.objects().get(first);
    site.log.store.delete(first);

    assertThat(site.fold())
        .isEqualTo(
            "slot 1: object %s is none of those that were planned: run 'recorder verify orders'"
                .formatted(first));
    assertThat(site.notes()).isEmpty();

    site.log.store.overwrite(first, object.bytes(), object.metadata());
    assertThat(site.fold()).isEmpty();
    assertThat(site.notes()).containsExactly("3 rows up to 2");
    site.assertProved(5);
  }

  @Test
  void aSlotWithoutARowEndsTheFoldAndIsNamed() throws Exception {
    clearThree();
    site.log.run("DELETE FROM recorder.slots WHERE slot = 2");

    assertThat(site.fold()).isEqualTo("slot 2 has no row in slots: run 'recorder verify orders'");

    assertThat(site.notes()).containsExactly("1 rows up to 1");
  }

  /** Restored to a moment before the fold, and once more to one before the clearing. */
  @Test
  void aDatabaseThatIsRestoredFoldsAgainToTheSameHash() throws Exception {
    site.record("a", "b", "c");
    site.rotate();
    site.record("d", "e");
    TestDatabase beforeClearing = site.copied();
    site.clear(1);
    TestDatabase beforeFolding = site.copied();
    site.fold();
    String hash = site.chain();
    site.record("lost");

    try (FoldingSite restored = new FoldingSite(beforeFolding, site.log.store)) {
      restored.fold();

      assertThat(restored.chain()).isEqualTo(hash);
      restored.record("f"); // Adopts slot 6, whose row this database never had.
      restored.assertProved(7);
      beforeClearing.takePlaceOf(beforeFolding);
    }
    try (FoldingSite restored = new FoldingSite(beforeClearing, site.log.store)) {
      restored.fold();
      assertThat(restored.notes()).isEmpty();
      restored.clear(1);
      restored.fold();

      assertThat(restored.chain()).isEqualTo(hash);
      restored.record("g");
      restored.assertProved(8);
    }
  }

  /** Frozen and evicted, killed, cut off: for the database it is a session that ends. */
  @Test
  void whoeverFoldsMayEndAtAnyStatement() throws Exception {
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
        site.fold(site.term(), EndingSession.after(calls, doomed));
        ends = false;
      } catch (DatabaseException ended) {
        site.assertProved(rows);
        site.fold();
      }
      assertThat(site.slots()).as("ended at call " + calls).hasSizeLessThanOrEqualTo(2);
    }
    site.assertProved(rows);
  }

  /**
   * Ten blocks of a log that keeps nothing: what it costs is what an empty one costs. A round's
   * pages may wait for the next VACUUM where somebody else's snapshot, an ANALYZE that the server
   * began by itself for example, held them; the thousand rows of ten rounds would be five times as
   * many.
   */
  @Test
  void rowsAndPagesOfSlotsStayBoundedHoweverManyThereAre() throws Exception {
    List<Long> pages = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      site.log.run(
          "INSERT INTO handoff.orders (key, payload) SELECT n::text, '{}' FROM generate_series(1,"
              + " 100) n");
      site.log.record(1);
      site.rotate();
      site.record("newest");
      site.clear(1);
      site.fold();
      assertThat(site.slots()).hasSizeLessThanOrEqualTo(2);
      site.log.run("VACUUM recorder.slots");
      pages.add(
          site.log.database.number(
              "SELECT (pg_relation_size('recorder.slots') +"
                  + " pg_relation_size('recorder.slots_pkey')) / 8192"));
    }
    System.out.println("figure: pages of slots and their index, round by round: " + pages);
    assertThat(pages.get(9)).isLessThanOrEqualTo(2 * pages.get(0));
    assertThat(site.notes()).hasSize(10);
    site.assertProved(1010);
  }

  /** Slots 1 to 3 are cleared away, slots 4 and 5 are kept. */
  private void clearThree() throws Exception {
    site.record("a", "b", "c");
    site.rotate();
    site.record("d", "e");
    site.clear(1);
  }
}
