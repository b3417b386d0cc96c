package dev.recorder.operate.rebase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.audit.AuditResult;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockGuard;
import dev.recorder.postgres.LookedAt;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.Dump;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * A log whose database was dumped on one server and restored on another, which has given out fewer
 * transaction numbers. At the end each row of the restored database must be in exactly one object,
 * and no object may have changed.
 */
class RebaseIT {
  /** More than a test uses up on the new server. */
  private static final long AHEAD = 2_000;

  private static PostgresServer newServer;

  private final MemoryStore store = new MemoryStore();
  private RebaseSite old;
  private RebaseSite restored;
  private NavigableMap<String, ObjectStore.Body> before;

  @BeforeAll
  static void startTheNewServer() {
    newServer = PostgresServer.start();
  }

  @AfterAll
  static void stopTheNewServer() throws Exception {
    newServer.close();
  }

  @BeforeEach
  void createDatabases() throws Exception {
    PostgresServer.shared().advanceTo(newServer.nextXid() + AHEAD);
    old = new RebaseSite(PostgresServer.shared(), store);
    restored = new RebaseSite(newServer, store);
    assertThat(old.setUp()).isEmpty();
  }

  @AfterEach
  void dropDatabases() throws Exception {
    old.close();
    restored.close();
  }

  @Test
  void aRestoredDatabaseIsRefusedUntilTheRebaseAndGoesOnAfterIt() throws Exception {
    old.insert("a", "b", "c");
    old.record(2);
    old.insert("d", "e");
    restore(dump());

    assertThat(restored.setUp()).contains("recorder rebase orders", "Restored databases");

    restored.assertRebases(0, 3, 2);
    restored.insert("f");

    assertGoesOn("a", "b", "c", "d", "e", "f");
    assertThat(restored.ask("SELECT reason || ': ' || detail FROM recorder.takeovers"))
        .singleElement()
        .asString()
        .startsWith("rebase: ")
        .contains("rebased after slot 2: 3 rows here are recorded, 2 come next");
  }

  @Test
  void slotsThatWereRecordedAfterTheDumpAreAdoptedByTheirRows() throws Exception {
    old.insert("a", "b");
    old.record(2);
    old.insert("c", "d", "e");
    Dump dump = dump();
    old.insert("lost");
    old.record(2);
    restore(dump);

    restored.assertRebases(2, 5, 0);
    restored.insert("f");
    assertGoesOn("a", "b", "c", "d", "e", "f");
  }

  @Test
  void aSlotThatWasPlannedAtTheDumpAndPutAfterItIsAdopted() throws Exception {
    old.insert("a", "b");
    old.record(2);
    old.insert("c", "d", "e");
    SlotContent planned = old.plan(2);
    Dump dump = dump();
    old.put(planned);
    restore(dump);

    restored.assertRebases(1, 4, 1);
    assertGoesOn("a", "b", "c", "d", "e");
  }

  @Test
  void aWindowThatIsHalfRecordedIsContinuedBehindWhatIsRecorded() throws Exception {
    old.run(
        "INSERT INTO handoff.orders (key, payload) SELECT 'k' || i, '{}'"
            + " FROM generate_series(10, 19) i");
    old.record(3, 2);
    restore(dump());

    restored.assertRebases(0, 6, 4);
    assertGoesOn(restored.keys().toArray(String[]::new));
  }

  @Test
  void rowsThatCameToTheNewServerAreNotTakenForRecordedWhateverTheirNumbers() throws Exception {
    old.insert(names("old", 40));
    old.record(15);
    long position = PostgresServer.shared().nextXid();
    old.insert(names("waiting", 5));
    restore(dump());
    insertInSubtransactions("new");
    newServer.advanceTo(position + AHEAD);
    insertInSubtransactions("newer");

    // No number is beyond the server's own any more.
    assertThat(restored.setUp()).contains("came to this one before", "recorder rebase orders");
    restored.assertRebases(0, 40, 9);
    assertGoesOn(restored.keys().toArray(String[]::new));
  }

  @Test
  void aServerThatHasGivenOutMoreNumbersIsMovedToAndNoRowGetsAnother() throws Exception {
    old.insert("a", "b");
    old.record(2);
    old.insert("c", "d", "e");
    Dump dump = dump();
    old.record(2, 1);
    newServer.advanceTo(PostgresServer.shared().nextXid() + 1);
    restore(dump);
    insertInSubtransactions("new");

    // Not by its numbers, but by its name.
    assertThat(restored.setUp()).contains("writes from database server/", "recorder rebase orders");
    Rebase.Rebased moved = restored.runRebase();
    assertThat(moved.renumbers()).isFalse();
    assertThat(moved.adopted()).isEqualTo(1);
    assertThat(restored.runRebase().isNeeded()).isFalse();
    assertThat(restored.setUp()).isEmpty();
    restored.record(2);

    assertThat(recordedKeys()).containsExactly("a", "b", "c", "d", "e", "new1", "new2");
    assertUnchanged();
    assertThat(restored.verify().findings()).isEmpty();
  }

  @Test
  void aMoveThatRenumbersNothingHasCapturedChangesNumberedBehindThoseOfTheLogToo()
      throws Exception {
    old.insert("a");
    old.record(1);
    newServer.advanceTo(PostgresServer.shared().nextXid() + 1);
    restore(dump());
    restored.database.execute("CREATE SEQUENCE recorder.capture_orders_seq");

    try (Rebase rebase = restored.rebase()) {
      assertThatThrownBy(rebase::preview).hasMessageContaining("GRANT SELECT, UPDATE ON SEQUENCE");
    }
    restored.assertRebaseRefused(
        DatabaseErrorKind.RIGHTS, "GRANT SELECT, UPDATE ON SEQUENCE", "nothing was changed");
    restored.database.execute(
        "GRANT SELECT, UPDATE ON SEQUENCE recorder.capture_orders_seq TO PUBLIC");
    Logger log = (Logger) LoggerFactory.getLogger(DatabasePin.class);
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    log.addAppender(told);
    assertThat(restored.runRebase().renumbers()).isFalse();
    log.detachAppender(told);

    assertThat(
            restored.ask(
                "SELECT nextval('recorder.capture_orders_seq')"
                    + " > extract(epoch FROM now() - interval '1 minute') * 1000000"))
        .containsExactly("t");
    assertThat(told.list.stream().map(ILoggingEvent::getFormattedMessage))
        .singleElement()
        .asString()
        .startsWith("recorder orders writes from database server/")
        .contains(" from now on, and wrote from server/");
  }

  @Test
  void whatIsInExpiredSlotsIsNotGuessed() throws Exception {
    old.insert("a", "b", "c", "d");
    old.record(2);
    restore(dump());
    newServer.advanceTo(PostgresServer.shared().nextXid() + 1);
    expireTheFirstSlot();

    restored.assertRebaseRefused(
        DatabaseErrorKind.UNUSABLE,
        "2 rows in handoff.orders may be recorded",
        "slots 1 to 1",
        "expired");

    restored.run("DELETE FROM handoff.orders WHERE key IN ('a', 'b')");
    restored.runRebase();
    assertGoesOnWithoutTheFirstSlot();
  }

  @Test
  void rowsOfExpiredSlotsAreToldByThePositionWhereNumbersAreApart() throws Exception {
    old.insert("a", "b", "c", "d");
    old.record(2);
    restore(dump());
    expireTheFirstSlot();

    restored.assertRebases(0, 4, 0);
    assertGoesOnWithoutTheFirstSlot();
  }

  private void expireTheFirstSlot() throws Exception {
    restored.run("UPDATE recorder.lock_recorders SET first_slot = 2");
    store.delete(RebaseSite.LAYOUT.slotKey(1));
  }

  private void assertGoesOnWithoutTheFirstSlot() throws Exception {
    restored.insert("e");
    assertThat(restored.setUp()).isEmpty();
    restored.record(2);
    assertThat(recordedKeys()).containsExactly("c", "d", "e");
    assertVerified(restored);
  }

  @Test
  void aSecondRunFindsNothingToDo() throws Exception {
    old.insert("a", "b");
    old.record(1, 1);
    restore(dump());
    restored.runRebase();

    assertThat(restored.runRebase().isNeeded()).isFalse();

    assertGoesOn("a", "b");
    assertThat(restored.runRebase().isNeeded()).isFalse();
    assertThat(restored.ask("SELECT count(*) FROM recorder.takeovers")).containsExactly("1");
  }

  @Test
  void aDatabaseWithNumbersOfItsOwnIsLeftAlone() throws Exception {
    old.insert("a", "b");
    old.record(1, 1);
    List<String> rows = old.ask("SELECT h::text FROM handoff.orders h ORDER BY id");

    assertThat(old.runRebase().isNeeded()).isFalse();

    assertThat(old.ask("SELECT h::text FROM handoff.orders h ORDER BY id")).isEqualTo(rows);
    assertThat(old.ask("SELECT count(*) FROM recorder.takeovers")).containsExactly("0");
  }

  @Test
  void aRebasedDatabaseCanBeDumpedAndRestoredAndRebasedAgain() throws Exception {
    old.insert("a", "b", "c");
    old.record(2, 1);
    restore(dump());
    restored.runRebase();
    restored.insert("d", "e");
    restored.record(2, 1);
    restored.insert("f");
    newServer.advanceTo(newServer.nextXid() + AHEAD);
    Dump second = Dump.of(restored.database, "recorder", "handoff");
    try (PostgresServer thirdServer = PostgresServer.start();
        RebaseSite third = new RebaseSite(thirdServer, store)) {
      third.createTables();
      second.restoreInto(third.database);
      before = store.objects();
      assertThat(third.setUp()).contains("recorder rebase orders");

      third.assertRebases(0, 2, 2);
      third.insert("g");
      assertGoesOn(third, "a", "b", "c", "d", "e", "f", "g");
    }
  }

  /** The rebase before wrote them without a number, and here they still have it. */
  @Test
  void rowsThatAnEarlierRebaseOfTheSameDumpRecordedAreNotRecordedAgain() throws Exception {
    old.insert("a", "b");
    old.record(2);
    old.insert("c", "d");
    Dump dump = dump();
    restore(dump);
    restored.runRebase();
    restored.insert("lost");
    assertThat(restored.setUp()).isEmpty();
    restored.record(2);
    try (PostgresServer thirdServer = PostgresServer.start();
        RebaseSite third = new RebaseSite(thirdServer, store)) {
      third.createTables();
      dump.restoreInto(third.database);
      before = store.objects();
      third.setUp();

      third.assertRebases(2, 4, 0);
      third.insert("e");
      assertThat(third.setUp()).isEmpty();
      third.record(2);

      assertThat(recordedKeys()).containsExactly("a", "b", "c", "d", "lost", "e");
      assertUnchanged();
      assertOnlyTheLostLineIsAnothers(third);
    }
  }

  @Test
  void aMigrationThatIsTakenBackRecordsNoRowAgain() throws Exception {
    old.insert("a", "b");
    old.record(2);
    old.insert("c", "d");
    restore(dump());
    restored.runRebase();
    restored.insert("lost");
    assertThat(restored.setUp()).isEmpty();
    restored.record(2);
    before = store.objects();

    assertThat(old.runRebase().adopted()).isEqualTo(2);
    old.insert("e");
    old.record(2);

    assertThat(recordedKeys()).containsExactly("a", "b", "c", "d", "lost", "e");
    assertUnchanged();
    assertOnlyTheLostLineIsAnothers(old);
  }

  @Test
  void rowsOfAPreparedTransactionMayBeInLinesThatHaveNoNumber() throws Exception {
    old.insert("a");
    old.record(1);
    old.insert("b");
    old.run(
        "BEGIN",
        RebaseSite.inserting("prepared"),
        "PREPARE TRANSACTION '" + old.database.name() + "'");
    restore(dump());
    restored.runRebase();
    assertThat(restored.setUp()).isEmpty();
    restored.record(1);

    old.assertRebaseRefused(DatabaseErrorKind.BUSY, "slot 2", "prepared transaction");
    old.run("COMMIT PREPARED '" + old.database.name() + "'");
    old.runRebase();
    old.record(1);

    assertThat(recordedKeys()).containsExactly("a", "b", "prepared");
  }

  private static void assertOnlyTheLostLineIsAnothers(RebaseSite site) throws Exception {
    AuditResult verdict = site.verify();
    assertThat(verdict.findings())
        .singleElement()
        .asString()
        .startsWith("slot 3 was written by")
        .contains("from another database", "no row of this one ever stood in its 1 line");
    assertThat(verdict.duplicated()).isEqualTo(1);
    assertThat(verdict.notes())
        .filteredOn(note -> note.startsWith("slot 2"))
        .singleElement()
        .asString()
        .contains("from another database", "the rows of its 2 lines are here");
  }

  @Test
  void interruptedAtAnyLookAtTheStoreItIsRunAgain() throws Exception {
    old.insert("a", "b", "c");
    old.record(2, 1);
    old.insert("d", "e", "f");
    Dump dump = dump();
    old.record(2);
    restore(dump);
    int failures = 0;
    while (failsAtLook(failures + 1)) {
      failures++;
    }

    assertThat(failures).isGreaterThan(4);
    assertGoesOn("a", "b", "c", "d", "e", "f");
  }

  @Test
  void aKilledSessionLeavesNothingHalfDone() throws Exception {
    old.insert("a", "b", "c", "d");
    old.record(2, 1);
    restore(dump());
    newServer.advanceTo(PostgresServer.shared().nextXid() + 1);
    // Rows are compared with objects in the midst of the renumbering.
    ObjectStore deadly =
        new LookedAt(
            store,
            number -> {},
            () ->
                restored.database.execute(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE"
                        + " application_name = 'recorder/host-a/query'"));
    List<String> rows = restored.ask("SELECT h::text FROM handoff.orders h ORDER BY id");

    try (Rebase rebase = restored.rebase(deadly)) {
      assertThatThrownBy(rebase::run)
          .isInstanceOf(DatabaseException.class)
          .extracting(e -> ((DatabaseException) e).kind())
          .isEqualTo(DatabaseErrorKind.UNREACHABLE);
    }

    assertThat(restored.ask("SELECT h::text FROM handoff.orders h ORDER BY id")).isEqualTo(rows);
    restored.runRebase();
    assertGoesOn("a", "b", "c", "d");
  }

  @Test
  void applicationsInsertThroughoutAndEachOfTheirRowsIsRecordedOnce() throws Exception {
    old.insert(names("old", 2_000));
    old.record(500, 2);
    restore(dump());
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch some = new CountDownLatch(20);
    ExecutorService application = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> inserted =
          application.submit(
              () -> {
                int count = 0;
                try (Connection connection = restored.database.connect();
                    Statement statement = connection.createStatement()) {
                  while (stop.getCount() > 0 || some.getCount() > 0) {
                    statement.execute(RebaseSite.inserting("new" + count));
                    count++;
                    some.countDown();
                  }
                }
                return count;
              });
      some.await();
      restored.runRebase();
      stop.countDown();
      assertThat(inserted.get()).isGreaterThan(20);
    } finally {
      application.shutdownNow();
    }

    assertGoesOn(restored.keys().toArray(String[]::new));
  }

  @Test
  void aTransactionThatIsPreparedMeanwhileIsRecordedWhenItHasEnded() throws Exception {
    old.insert("a", "b");
    old.record(1, 1);
    restore(dump());
    restored.run(
        "BEGIN",
        RebaseSite.inserting("prepared"),
        "PREPARE TRANSACTION '" + restored.database.name() + "'");

    restored.runRebase();
    assertThat(restored.setUp()).isEmpty();
    restored.insert("c");
    restored.record(2);
    restored.run("COMMIT PREPARED '" + restored.database.name() + "'");
    restored.insert("d");
    restored.record(2);

    assertThat(recordedKeys()).containsExactlyInAnyOrder("a", "b", "prepared", "c", "d");
    assertVerified(restored);
  }

  @Test
  void anObjectThatTheOldServersMachineWritesAfterwardsDoublesNothing() throws Exception {
    old.insert("a", "b");
    old.record(2);
    old.insert("c", "d", "e");
    SlotContent planned = old.plan(2);
    restore(dump());
    restored.runRebase();

    old.put(planned);
    before = store.objects();

    assertGoesOn("a", "b", "c", "d", "e");
  }

  @Test
  void aRecorderThatSomebodyHoldsIsLeftAlone() throws Exception {
    old.insert("a");
    restore(dump());
    try (RdsManager manager = new RdsManager(TestSessions.patient(restored.database, "host-b"))) {
      manager.connect();
      try (LockGuard guard = LockGuard.tryAcquire(manager, 1).orElseThrow()) {
        assertThat(guard.isHeld()).isTrue();
        restored.assertRebaseRefused(
            DatabaseErrorKind.BUSY, "recorder orders is held by", "host-b", "stop its hosts");
      }
    }
  }

  @Test
  void aRoleThatMayNotRenumberIsToldWhatToGrant() throws Exception {
    old.insert("a");
    old.record(1);
    restore(dump());
    restored.database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT, INSERT (key, payload) ON handoff.orders TO " + TestDatabase.ROLE);

    restored.assertRebaseRefused(
        DatabaseErrorKind.RIGHTS, "GRANT UPDATE (xid) ON handoff.orders TO recorder;");

    restored.database.execute("GRANT UPDATE (xid) ON handoff.orders TO recorder");
    restored.runRebase();
    restored.insert("b");
    assertGoesOn("a", "b");
  }

  @Test
  void aSequenceThatDidNotComeWithTheRowsIsRefused() throws Exception {
    old.insert("a", "b");
    old.record(1);
    restore(dump().withoutSequences());

    restored.assertRebaseRefused(
        DatabaseErrorKind.UNUSABLE, "SELECT pg_catalog.setval(", "greatest(2, ");

    restored.run("SELECT setval('handoff.orders_id_seq', 2)");
    restored.runRebase();
    restored.insert("c");
    assertGoesOn("a", "b", "c");
  }

  @Test
  void rowsThatWereInsertedWithTheIdsOfWaitingOnesAreRefused() throws Exception {
    old.insert("a", "b", "c", "d");
    old.record(2, 1);
    restore(dump().withoutSequences());
    String moved = restored.ask("SELECT clock_timestamp()").get(0);
    restored.insert("new1", "new2", "new3", "new4");

    assertRefusedAndUnchanged("handoff.orders has id 3 twice", "rows that were inserted here");

    // The remedy of the runbook.
    restored.run(
        "SELECT setval('handoff.orders_id_seq', 4)",
        "BEGIN",
        "LOCK TABLE handoff.orders IN SHARE ROW EXCLUSIVE MODE",
        "WITH here AS (DELETE FROM handoff.orders WHERE time > TIMESTAMPTZ '"
            + moved
            + "' RETURNING *)"
            + " INSERT INTO handoff.orders (time, key, payload)"
            + " SELECT time, key, payload FROM here ORDER BY xid, id",
        "COMMIT");
    restored.runRebase();
    assertGoesOn("a", "b", "c", "d", "new1", "new2", "new3", "new4");
  }

  @Test
  void rowsThatWereInsertedWithLowerIdsThanWaitingOnesAreRefused() throws Exception {
    old.insert("a", "b", "c", "d");
    old.record(2, 1);
    restore(dump().withoutSequences());
    restored.run("BEGIN", "SAVEPOINT s", RebaseSite.inserting("new1"), "COMMIT");
    restored.run("SELECT setval('handoff.orders_id_seq', 4)");

    assertRefusedAndUnchanged("id 1 of handoff.orders was inserted here", "id 4, which came from");

    restored.run("DELETE FROM handoff.orders WHERE key = 'new1'");
    restored.runRebase();
    restored.insert("new1");
    assertGoesOn("a", "b", "c", "d", "new1");
  }

  @Test
  void aDryRunRefusesIdsThatTheRebaseWouldRefuse() throws Exception {
    old.insert("a", "b", "c", "d");
    old.record(2, 1);
    restore(dump().withoutSequences());
    restored.insert("new1");
    restored.run("SELECT setval('handoff.orders_id_seq', 4)");

    try (Rebase rebase = restored.rebase()) {
      assertThatThrownBy(rebase::preview)
          .isInstanceOf(DatabaseException.class)
          .hasMessageContainingAll("id 1 of handoff.orders was inserted here", "id 4");
    }
  }

  @Test
  void waitingRowsWhoseNumbersThisServerHasGivenOutAreNotTakenForInsertedHere() throws Exception {
    old.insert("a", "b");
    old.record(2);
    long position = PostgresServer.shared().nextXid();
    newServer.advanceTo(position);
    restored.createTables();
    // Their numbers lie on both sides of that of the transaction which loads them.
    PostgresServer.shared().advanceTo(newServer.nextXid() - 50);
    old.insert(names("waiting", 300));
    dump().restoreInto(restored.database);
    before = store.objects();
    restored.insert("new");

    restored.assertRebases(0, 2, 301);
    assertGoesOn(restored.keys().toArray(String[]::new));
  }

  @Test
  void rowsOverLimitsThatCameLaterAreRenumberedAndTheLimitsStay() throws Exception {
    restoreRowsOverTheLimits();
    List<String> limits = limits();

    restored.assertRebases(0, 1, 2);

    assertThat(limits()).hasSize(2).isEqualTo(limits);
    assertThatThrownBy(
            () ->
                restored.run(
                    "INSERT INTO handoff.orders (payload) SELECT to_json(repeat('x', 2000))"))
        .hasMessageContaining("payload_within_max_payload");
    restored.insert("b");
    assertGoesOn(restored.keys().toArray(String[]::new));
  }

  @Test
  void aRoleThatDoesNotOwnSuchATableIsToldWhatToRun() throws Exception {
    restoreRowsOverTheLimits();
    restored.database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT, INSERT (key, payload), UPDATE (xid) ON handoff.orders TO recorder");

    restored.assertRebaseRefused(
        DatabaseErrorKind.RIGHTS,
        "ALTER TABLE handoff.orders DROP CONSTRAINT key_within_8192_bytes;",
        "ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload;",
        "ADD CONSTRAINT payload_within_max_payload CHECK ((octet_length((payload)::text) <= 1024))"
            + " NOT VALID;");

    restored.database.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT key_within_8192_bytes,"
            + " DROP CONSTRAINT payload_within_max_payload");
    restored.assertRebases(0, 1, 2);
  }

  /** Whatever no row is over holds for producers all the time. */
  @Test
  void onlyLimitsThatRowsAreOverAreLifted() throws Exception {
    restoreRowsOverTheLimits();
    restored.run("DELETE FROM handoff.orders WHERE length(key) > 8192");
    restored.database.execute(
        "ALTER TABLE handoff.orders OWNER TO postgres",
        "GRANT SELECT, INSERT (key, payload), UPDATE (xid) ON handoff.orders TO recorder");

    restored.assertRebaseRefused(
        DatabaseErrorKind.RIGHTS,
        """
        let them run, for the time of the rebase:
        ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload;
        and afterwards:
        ALTER TABLE handoff.orders ADD CONSTRAINT payload_within_max_payload CHECK\
        """);
  }

  /** One that is recorded, one with a large payload, and one with a long key. */
  private void restoreRowsOverTheLimits() throws Exception {
    old.insert("a");
    old.record(1);
    old.run(
        "ALTER TABLE handoff.orders DROP CONSTRAINT key_within_8192_bytes",
        "INSERT INTO handoff.orders (key, payload) SELECT 'large', to_json(repeat('x', 5000))",
        "INSERT INTO handoff.orders (key, payload) SELECT repeat('k', 9000), '{}'");
    restored.createTables();
    restored.run(
        "ALTER TABLE handoff.orders DROP CONSTRAINT key_within_8192_bytes,"
            + " DROP CONSTRAINT payload_within_max_payload");
    dump().restoreInto(restored.database);
    restored.run(
        "ALTER TABLE handoff.orders"
            + " ADD CONSTRAINT key_within_8192_bytes CHECK (octet_length(key) <= 8192) NOT VALID,"
            + " ADD CONSTRAINT payload_within_max_payload"
            + " CHECK (octet_length(payload::text) <= 1024) NOT VALID");
    before = store.objects();
  }

  private List<String> limits() throws Exception {
    return restored.ask(
        "SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid ="
            + " 'handoff.orders'::regclass AND conname LIKE '%within%' ORDER BY 1");
  }

  @Test
  void rowsThatWereInsertedHereWithIdsOfAClearedBlockAreNotCalledBrought() throws Exception {
    old.insert("a", "b");
    old.record(1);
    old.run(
        "DELETE FROM recorder.slots WHERE slot = 1",
        """
        INSERT INTO recorder.blocks (lock_id, block, begun_at, from_slot, cleared_at)
        VALUES (1, 0, now(), 1, now()), (1, 1, now(), 2, NULL)
        """,
        "TRUNCATE handoff.orders",
        "SELECT setval('handoff.orders_id_seq', 1::bigint << 32)");
    old.insert("c");
    restore(dump().withoutSequences());
    String moved = restored.ask("SELECT clock_timestamp()").get(0);
    restored.insert("new");
    restored.run("SELECT setval('handoff.orders_id_seq', (1::bigint << 32) + 1)");

    String[] why = {"inserted here, before the sequence was set", "do not empty", "new ids"};
    assertRefusedAndUnchanged(why);
    try (Rebase rebase = restored.rebase()) {
      assertThatThrownBy(rebase::preview).hasMessageContainingAll(why);
    }

    // The remedy of the runbook.
    restored.run(
        "WITH here AS (DELETE FROM handoff.orders WHERE time > TIMESTAMPTZ '"
            + moved
            + "' RETURNING *)"
            + " INSERT INTO handoff.orders (time, key, payload)"
            + " SELECT time, key, payload FROM here ORDER BY xid, id");
    restored.assertRebases(0, 0, 2);
    restored.record(2);
    assertThat(recordedKeys()).containsExactly("a", "b", "c", "new");
  }

  @Test
  void aSequenceThatIsBehindTheBlockInUseIsRefusedThoughTheTableIsEmpty() throws Exception {
    old.insert("a");
    old.record(1);
    old.run(
        "TRUNCATE handoff.orders",
        "INSERT INTO recorder.blocks (lock_id, block, begun_at, from_slot) VALUES (1, 3, now(),"
            + " 2)");
    restore(dump().withoutSequences());

    restored.assertRebaseRefused(
        DatabaseErrorKind.UNUSABLE, "SELECT pg_catalog.setval(", "greatest(12884901888, ");

    restored.run("SELECT setval('handoff.orders_id_seq', 12884901888)");
    restored.assertRebases(0, 0, 0);
  }

  @Test
  void receiptsOfARecorderThatHadTheLockidBeforeAreLeftAlone() throws Exception {
    old.insert("a", "b");
    old.record(1, 1);
    old.run(
        """
        INSERT INTO recorder.takeovers (lock_id, recorder, reason, to_machine, from_epoch, to_epoch,
          silence_ms, last_slot, first_slot, detail)
        SELECT 1, name, 'start', 'host-a', e - 1, e, 0, 0, 1, 'earlier'
        FROM generate_series(1, 9) e, (VALUES ('retired'), ('orders')) names (name)
        """);
    restore(dump());

    restored.assertRebases(0, 1, 1);

    assertThat(restored.ask("SELECT detail FROM recorder.takeovers WHERE detail LIKE '%rebased%'"))
        .singleElement()
        .asString()
        .doesNotContain("earlier");
    assertGoesOn("a", "b");
  }

  @Test
  void anotherLogsStoreIsRefused() throws Exception {
    old.insert("a");
    old.record(1);
    restore(dump());
    restored.run("UPDATE recorder.lock_recorders SET log_uuid = gen_random_uuid()");

    restored.assertRebaseRefused(DatabaseErrorKind.UNUSABLE, "names log");
  }

  @Test
  void aDryRunChangesNothingAndTellsTheSame() throws Exception {
    old.insert("a", "b", "c");
    old.record(2, 1);
    Dump dump = dump();
    old.record(2);
    restore(dump);
    String row = "SELECT r::text FROM recorder.lock_recorders r";
    List<String> unchanged = restored.ask(row);

    try (Rebase rebase = restored.rebase()) {
      Rebase.Rebased result = rebase.preview();
      assertThat(result.isNeeded()).isTrue();
      assertThat(result.adopted()).isEqualTo(1);
      assertThat(result.lastSlot()).isEqualTo(2);
      assertThat(result.recorded()).isEqualTo(2);
      assertThat(result.waiting()).isEqualTo(1);
      assertThat(result.undecided()).isZero();
    }

    assertThat(restored.ask(row)).isEqualTo(unchanged);
    assertThat(restored.setUp()).isNotEmpty();
  }

  // ----

  private Dump dump() throws Exception {
    return Dump.of(old.database, "recorder", "handoff");
  }

  private void restore(Dump dump) throws Exception {
    restored.createTables();
    dump.restoreInto(restored.database);
    before = store.objects();
  }

  private static String[] names(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> name + i).toArray(String[]::new);
  }

  /** Their rows are written by other numbers than that of the whole, which they carry. */
  private void insertInSubtransactions(String name) throws Exception {
    restored.insert(name + "1");
    restored.run("BEGIN", "SAVEPOINT s", RebaseSite.inserting(name + "2"), "COMMIT");
  }

  private boolean failsAtLook(int last) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    ObjectStore failing =
        new LookedAt(
            store,
            key -> {
              if (looks.incrementAndGet() == last) {
                throw new DatabaseException(DatabaseErrorKind.UNREACHABLE, "killed");
              }
            },
            () -> {});
    try (Rebase rebase = restored.rebase(failing)) {
      rebase.run();
      return false;
    } catch (DatabaseException killed) {
      assertThat(killed).hasMessage("killed");
      return true;
    }
  }

  private void assertRefusedAndUnchanged(String... why) throws Exception {
    String rows = "SELECT h.xmin || h::text FROM handoff.orders h ORDER BY h::text";
    String position = "SELECT last_slot || done_snapshot::text FROM recorder.lock_recorders";
    List<String> unchanged = restored.ask(rows);
    List<String> unmoved = restored.ask(position);

    restored.assertRebaseRefused(DatabaseErrorKind.UNUSABLE, why);

    assertThat(restored.ask(rows)).isEqualTo(unchanged);
    assertThat(restored.ask(position)).isEqualTo(unmoved);
  }

  private void assertGoesOn(String... keys) throws Exception {
    assertGoesOn(restored, keys);
  }

  /**
   * Each of these rows, which came in this order, is in one object; none other of this database.
   */
  private void assertGoesOn(RebaseSite site, String... keys) throws Exception {
    assertThat(site.setUp()).isEmpty();
    site.record(2);
    List<String> here = recordedKeys();
    here.remove("lost");
    assertThat(here).containsExactly(keys);
    assertThat(site.keys()).containsExactlyInAnyOrder(keys);
    assertUnchanged();
    assertVerified(site);
  }

  private void assertUnchanged() {
    before.forEach(
        (key, body) ->
            assertThat(store.objects().get(key).bytes()).as(key).isEqualTo(body.bytes()));
  }

  private static void assertVerified(RebaseSite site) throws Exception {
    AuditResult verdict = site.verify();
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.ok()).isTrue();
    assertThat(verdict.notes()).anyMatch(note -> note.contains("before the rebase"));
  }

  /** Every line's key, slot by slot, read with nothing of the product. */
  private List<String> recordedKeys() throws Exception {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<String, ObjectStore.Body> object : store.objects().entrySet()) {
      if (object.getKey().endsWith(".ndjson")) {
        String text = new String(object.getValue().bytes(), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
          keys.add(new ObjectMapper().readTree(line).path("key").asText());
        }
      }
    }
    return keys;
  }
}
