package dev.recorder.clearing.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.EndingSession;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is taken out of a hand-off table, and above all what is not. */
class ClearingIT {
  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);
  private static final String FIRST_LEAF = "recorder.handoff_orders_0";

  private RebaseSite site;
  private Connection session;

  @BeforeEach
  void create() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    assertThat(site.setUp()).isEmpty();
    session = site.sessions().openData();
  }

  @AfterEach
  void drop() throws Exception {
    session.close();
    site.close();
  }

  @Test
  @Tag("smoke")
  void recordedRowsGoAndNewOnesComeUnderTheSameName() throws Exception {
    site.insert("a", "b", "c");
    site.record(2);
    rotate();
    site.insert("d");

    assertThat(clear())
        .singleElement()
        .satisfies(
            report -> {
              assertThat(report.isCleared()).as(report.why()).isTrue();
              assertThat(report.rows()).isEqualTo(3);
              assertThat(report.why()).isEqualTo("in slots 1 to 2");
            });

    assertThat(site.keys()).containsExactly("d");
    site.record(2);
    assertThat(lines()).containsExactly("a", "b", "c", "d");
    assertThat(
            site.ask(
                "SELECT cleared_rows || ' up to ' || last_slot FROM recorder.blocks WHERE block ="
                    + " 0"))
        .containsExactly("3 up to 2");
  }

  @Test
  void rowsThatAreNotRecordedStay() throws Exception {
    site.insert("a", "b");
    site.record(1, 1);
    rotate();
    site.insert("c");

    assertStays("1 of its rows are not recorded yet");
  }

  /** As a bug or a broken disk would have it: the writer never saw the row. */
  @Test
  void aRowThatADamagedIndexMissesStays() throws Exception {
    site.insert("a");
    indexIsKept(false);
    site.insert("missed");
    indexIsKept(true);
    site.insert("b");
    site.record(10);
    rotate();
    site.insert("c");

    assertStays("1 of its rows are in no settled slot, such as row 2 of transaction");
    assertThat(site.keys()).contains("missed");
  }

  @Test
  void rowsStayWhoseObjectIsGoneOrNotWhatWasWritten() throws Exception {
    site.insert("a");
    site.record(1);
    site.insert("b");
    site.record(1);
    rotate();
    site.insert("c");
    String second = RebaseSite.LAYOUT.slotKey(2);
    ObjectStore.Body written = site.store.objects().get(second);

    site.store.delete(second);
    assertStays("slot 2: object " + second + " is not in the store");

    site.store.overwrite(second, "{}\n".getBytes(UTF_8), written.metadata());
    assertStays("object " + second + " is damaged");
  }

  @Test
  void whoHasInsertedAndNotEndedKeepsTheLeafAndIsNamed() throws Exception {
    site.insert("a");
    site.record(1);
    try (Connection producer = site.database.connect();
        Statement statement = producer.createStatement()) {
      producer.setAutoCommit(false);
      statement.execute("INSERT INTO handoff.orders (key, payload) VALUES ('open', '{}')");
      statement.execute("SELECT pg_sleep(1.1)");
      rotate();
      site.insert("b");

      assertStays("others use it; blocked by database session");

      producer.commit();
    }
    site.record(10);
    assertThat(clear()).singleElement().matches(Report::isCleared);
    assertThat(lines()).containsExactlyInAnyOrder("a", "open", "b");
  }

  @Test
  void whoHasLockedTheTableIsNamed() throws Exception {
    site.insert("a");
    try (Connection stranger = site.database.connect();
        Statement statement = stranger.createStatement()) {
      stranger.setAutoCommit(false);
      statement.execute("LOCK TABLE handoff.orders IN ACCESS EXCLUSIVE MODE");

      assertThatThrownBy(this::clear)
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("(SQLSTATE 55P03); blocked by database session ")
          .hasMessageContaining(" with AccessExclusiveLock on ");
    }
  }

  /** It drew its id before the rotation, and inserts when the leaf has been emptied. */
  @Test
  void aLatecomerLandsInTheEmptiedLeafAndIsRecorded() throws Exception {
    site.insert("a");
    site.record(1);
    rotate();
    site.insert("b");
    site.record(1);
    assertThat(clear()).singleElement().matches(Report::isCleared);

    insertWithId(2, "late");
    assertThat(site.ask("SELECT key FROM " + FIRST_LEAF)).containsExactly("late");
    assertStays("1 of its rows are not recorded yet");

    site.record(1);
    assertThat(clear()).singleElement().matches(Report::isCleared);
    assertThat(lines()).containsExactly("a", "b", "late");
  }

  @Test
  void aLatecomerThatComesBetweenTheProofAndTheLockIsNotLost() throws Exception {
    site.insert("a");
    site.record(1);
    rotate();
    site.insert("b");

    AtomicInteger asked = new AtomicInteger();
    BooleanSupplier insertsBeforeAnObjectIsRead =
        () -> asked.incrementAndGet() != 2 || insertWithId(2, "late");
    List<Report> reports = turn(leaves(term()), insertsBeforeAnObjectIsRead);

    assertThat(reports).singleElement().matches(report -> !report.isCleared());
    assertThat(reports.get(0).why()).contains("rows came into it");
    assertThat(site.keys()).contains("a", "late", "b");
  }

  @Test
  void anAdoptedHistoryWithLinesThatNoRowHasDoesNotKeepRows() throws Exception {
    site.insert("a", "b");
    site.record(10);
    // Lost with a server: the ids are given out again.
    site.run(
        "DELETE FROM handoff.orders WHERE key = 'b'",
        "INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (2, 'c',"
            + " '{}')");
    site.record(10);
    rotate();
    site.insert("d");

    assertThat(clear()).singleElement().matches(Report::isCleared);
    assertThat(site.keys()).containsExactly("d");
  }

  @Test
  void whoHasLostTheTermNeitherRotatesNorClears() throws Exception {
    site.insert("a");
    site.record(1);
    rotate();
    site.insert("b");
    Term old = term();
    site.run("UPDATE recorder.lock_recorders SET epoch = epoch + 1");
    JdbcHandoffLeaves leaves = leaves(old);

    assertThat(turn(leaves, () -> true))
        .singleElement()
        .extracting(Report::why)
        .isEqualTo("the term is over");
    assertThat(leaves.rotate(1)).isFalse();
  }

  @Test
  void slotsThatHaveExpiredProveAsLongAsTheirObjectsAreThere() throws Exception {
    site.insert("a");
    site.record(1);
    site.insert("b");
    site.record(1);
    rotate();
    site.insert("c");
    site.run("UPDATE recorder.lock_recorders SET first_slot = 2");
    ObjectStore.Body first = site.store.objects().get(RebaseSite.LAYOUT.slotKey(1));

    site.store.delete(RebaseSite.LAYOUT.slotKey(1));
    assertStays("1 of its rows are in no settled slot, such as row 1 of transaction");
    assertStays("and slots below 2, which may have held them, have expired");

    site.store.overwrite(RebaseSite.LAYOUT.slotKey(1), first.bytes(), first.metadata());
    assertThat(clear()).singleElement().matches(Report::isCleared);
  }

  @Test
  void aLogWithoutAFirstRowWaitsForNothing() throws Exception {
    assertThat(clear()).isEmpty();
    assertThat(clear()).isEmpty();
  }

  @Test
  void aCounterThatWasSetAndNotUsedSinceClearsNothing() throws Exception {
    site.insert("a");
    site.record(1);
    clear();
    site.run("SELECT setval('handoff.orders_id_seq', 10, false)");

    assertThatThrownBy(this::clear).hasMessageContaining("the counter of its ids tells nothing");
  }

  @Test
  void aCounterThatWasSetBackClearsNothing() throws Exception {
    site.insert("a");
    site.record(1);
    rotate();
    site.insert("b");
    site.run("SELECT setval('handoff.orders_id_seq', 10)");

    assertStays("the counter of its ids was set back");
    assertThat(leaves(term()).rotate(0)).isFalse();
  }

  /** Else nothing would be seen of the rows, and all of them be taken for recorded. */
  @Test
  void rowsThatRowSecurityHidesStay() throws Exception {
    site.insert("a");
    rotate();
    site.insert("b");
    site.run(
        "ALTER TABLE " + FIRST_LEAF + " ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE " + FIRST_LEAF + " FORCE ROW LEVEL SECURITY");

    assertStays("row-level security");
  }

  @Test
  void whatIsInOneLeafsWayIsNotInTheOthers() throws Exception {
    site.insert("a");
    site.record(1);
    rotate();
    site.insert("b");
    site.record(1);
    assertThat(leaves(term()).rotate(1)).isTrue();
    site.insert("c");
    site.store.delete(RebaseSite.LAYOUT.slotKey(1));

    assertThat(clear()).extracting(Report::isCleared).containsExactly(false, true);
    assertThat(site.keys()).containsExactly("a", "c");
  }

  @Test
  void theCounterGoesOnOnceHoweverManyWantIt() throws Exception {
    site.insert("a");
    JdbcHandoffLeaves leaves = leaves(term());

    assertThat(leaves.rotate(0)).isTrue();
    assertThat(leaves.rotate(0)).isFalse();

    site.insert("b");
    assertThat(site.ask("SELECT id FROM handoff.orders WHERE key = 'b'"))
        .containsExactly(Long.toString((1L << 32) + 1));
  }

  @Test
  void aProducerWhoDrewItsIdEarlierDoesNotWaitForTheSecondLook() throws Exception {
    // Clearing would find autovacuum in the leaf, and leave it alone.
    site.database.execute("ALTER TABLE " + FIRST_LEAF + " SET (autovacuum_enabled = off)");
    site.run(
        "INSERT INTO handoff.orders (key, payload) SELECT n::text, json_build_object('n', n) FROM"
            + " generate_series(1, 100000) n");
    site.record(100_000);
    rotate();
    site.insert("b");
    List<Report> reports;
    try (Connection producer = site.database.connect()) {
      CompletableFuture<Void> late =
          CompletableFuture.runAsync(() -> insertUnderTheLock(producer, 2_000_000, "late"));

      reports = clear();

      late.get(1, TimeUnit.MINUTES);
    }
    assertThat(reports)
        .singleElement()
        .extracting(Report::why)
        .isEqualTo("a session wants to insert into it");
    assertThat(site.keys()).contains("late", "b", "100000");
  }

  /** Frozen and evicted, killed, cut off: for the database it is a session that ends. */
  @Test
  void whoeverClearsMayEndAtAnyStatement() throws Exception {
    List<String> inserted = new ArrayList<>();
    boolean ends = true;
    for (int calls = 1; ends; calls++) {
      long block = calls - 1L;
      for (String key : List.of("old" + calls, "new" + calls)) {
        site.insert(key);
        inserted.add(key);
        site.record(10);
        if (key.startsWith("old")) {
          assertThat(leaves(term()).rotate(block)).isTrue();
        }
      }
      try (Connection doomed = site.sessions().openData()) {
        JdbcHandoffLeaves leaves =
            new JdbcHandoffLeaves(
                EndingSession.after(calls, doomed), SchemaNames.DEFAULT, RebaseSite.ORDERS, term());
        turn(leaves, () -> true);
        ends = false;
      } catch (DatabaseException ended) {
        assertThat(site.verify().findings()).as("ended at call " + calls).isEmpty();
        clear();
      }
      assertThat(site.keys()).containsExactly("new" + calls);
    }
    assertThat(lines()).containsExactlyElementsOf(inserted);
    assertThat(site.verify().findings()).isEmpty();
  }

  // ---- the site

  private void assertStays(String why) throws Exception {
    List<String> before = site.keys();

    assertThat(clear())
        .singleElement()
        .matches(report -> !report.isCleared())
        .extracting(Report::why)
        .asString()
        .contains(why);

    assertThat(site.keys()).isEqualTo(before);
  }

  private void rotate() throws SQLException {
    assertThat(leaves(term()).rotate(0)).isTrue();
  }

  private List<Report> clear() throws Exception {
    return turn(leaves(term()), () -> true);
  }

  private List<Report> turn(JdbcHandoffLeaves leaves, BooleanSupplier goesOn) {
    return new LogClearing(site.store, RebaseSite.LAYOUT, goesOn).turn(leaves, AT_ONCE);
  }

  private JdbcHandoffLeaves leaves(Term term) {
    return new JdbcHandoffLeaves(session, SchemaNames.DEFAULT, RebaseSite.ORDERS, term);
  }

  private Term term() throws SQLException {
    String[] row =
        site.ask(
                "UPDATE recorder.lock_recorders SET holder = 'host-a' RETURNING epoch || ',' ||"
                    + " log_uuid")
            .get(0)
            .split(",");
    return new Term(1, Long.parseLong(row[0]), "host-a", UUID.fromString(row[1]));
  }

  private boolean insertWithId(long id, String key) {
    try {
      site.run(insertOf(id, key));
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String insertOf(long id, String key) {
    return "INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (%d, '%s', '{}')"
        .formatted(id, key);
  }

  /** As soon as new rows are kept out of the first leaf. */
  private static void insertUnderTheLock(Connection producer, long id, String key) {
    String locked =
        "SELECT 1 FROM pg_locks WHERE granted AND mode = 'ShareLock' AND relation = '"
            + FIRST_LEAF
            + "'::regclass";
    try (Statement statement = producer.createStatement()) {
      boolean isLocked = false;
      while (!isLocked) {
        try (ResultSet row = statement.executeQuery(locked)) {
          isLocked = row.next();
        }
      }
      statement.execute(insertOf(id, key));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void indexIsKept(boolean kept) throws SQLException {
    try (Connection superuser = site.database.connectAsSuperuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          "UPDATE pg_index SET indisready = "
              + kept
              + " WHERE indrelid = '"
              + FIRST_LEAF
              + "'::regclass");
    }
  }

  /** The keys of all lines, slot after slot. */
  private List<String> lines() {
    return site.store.objects().entrySet().stream()
        .filter(object -> object.getKey().endsWith(".ndjson"))
        .flatMap(object -> new String(object.getValue().bytes(), UTF_8).lines())
        .map(line -> line.replaceAll(".*\"key\":\"([^\"]*)\".*", "$1"))
        .toList();
  }
}
