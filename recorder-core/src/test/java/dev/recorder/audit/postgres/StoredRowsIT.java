package dev.recorder.audit.postgres;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.HandoffRows;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The hand-off as it is stored, whatever its indexes say. */
class StoredRowsIT {
  private static final String PARTITION = "recorder.handoff_orders_0";
  private static final int PIECE = 5_000;
  private static final RangeStatements IN_PIECES =
      new RangeStatements(SchemaNames.DEFAULT, 1, PIECE);

  private RebaseSite site;

  @BeforeEach
  void create() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    assertThat(site.setUp()).isEmpty();
  }

  @AfterEach
  void drop() throws Exception {
    site.close();
  }

  @Test
  void aRowThatADamagedIndexMissesIsFoundAndItsRemedyHasItRecorded() throws Exception {
    site.insert("before");
    indexIsKept(false);
    site.insert("missed");
    indexIsKept(true);
    site.insert("after");
    site.record(100);

    AuditResult verdict = site.verify();

    assertThat(verdict.lost()).isEqualTo(1);
    assertThat(verdict.rows()).isEqualTo(2);
    assertThat(verdict.findings())
        .singleElement()
        .asString()
        .contains("row 2 of transaction ", "is lost: slot 1 should hold it");

    String note = verdict.notes().get(0);
    assertThat(note)
        .contains(
            "to have this row recorded after all, as a new one at the log's end, run REINDEX TABLE"
                + " CONCURRENTLY handoff.orders and then, both as its owner, ");
    String remedy = note.substring(note.indexOf("BEGIN;"));
    site.run(remedy);
    site.run(remedy);
    site.record(100);

    AuditResult repaired = site.verify();
    assertThat(repaired.findings()).isEmpty();
    assertThat(repaired.rows()).isEqualTo(3);
    assertThat(repaired.compared()).isEqualTo(3);
    assertThat(site.keys()).containsExactly("before", "after", "missed");
  }

  /** As a bug or a broken disk would: rows that come while it is not are not in the index. */
  private void indexIsKept(boolean kept) throws SQLException {
    site.database.execute(
        "UPDATE pg_index SET indisready = %s WHERE indrelid = '%s'::regclass"
            .formatted(kept, PARTITION));
  }

  @Test
  void textsAreComparedAsTheyAre() throws Exception {
    site.run(
        "INSERT INTO handoff.orders (key, payload) VALUES (NULL, 'null'), ('', E'{\"a\":\\r"
            + "\\n"
            + " 1}'), (E'\\t\\b\\f\\n"
            + "\\r"
            + "\\x01\\x1f\\x7f \"\\\\/', '\"\\u0000\"'), ('schön 🔑', '\"🔑\"')",
        "INSERT INTO handoff.orders (key, payload) SELECT 'large',"
            + " to_json(string_agg(md5(i::text), E'\\n')) FROM generate_series(1, 100000) i",
        "SET TimeZone = 'Asia/Kathmandu';"
            + " INSERT INTO handoff.orders (key, payload) VALUES ('elsewhere', '{}')");
    site.record(100);

    AuditResult verdict = site.verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.compared()).isEqualTo(6);
  }

  @Test
  void rowsThatReadsPassOverNameTheirSlot() throws Exception {
    site.insert("a", "b");
    site.run(
        "INSERT INTO recorder.exclusions SELECT 1, 5, xid, id FROM handoff.orders WHERE id = 2");
    site.run(
        "INSERT INTO recorder.exclusions SELECT 2, 6, xid, id FROM handoff.orders WHERE id = 1");

    assertThat(scan(() -> {})).extracting(KeptRow::excludedBy).containsExactlyInAnyOrder(0L, 5L);
  }

  @Test
  void aRangeOfPagesIsReadByThePagesWhateverThePlannerMayUse() throws Exception {
    site.run(
        "INSERT INTO handoff.orders (key, payload) SELECT i, '{}' FROM generate_series(1, 20000) i",
        "ANALYZE handoff.orders");
    try (Connection connection = TestSessions.patient(site.database, "host-a").openForQueries();
        StoredRows rows = new StoredRows(connection, IN_PIECES, RebaseSite.ORDERS);
        Statement statement = connection.createStatement()) {
      assertThat(rows).isNotNull(); // It has told the session what to use.
      for (boolean excluded : List.of(false, true)) {
        for (String sql :
            List.of(
                IN_PIECES.range(PARTITION, 3, 9, excluded),
                IN_PIECES.pieces(PARTITION, 3, 9, excluded))) {
          List<String> plan = new ArrayList<>();
          try (var lines = statement.executeQuery("EXPLAIN " + sql)) {
            while (lines.next()) {
              plan.add(lines.getString(1));
            }
          }
          assertThat(String.join("\n", plan))
              .contains("Tid Range Scan on handoff_orders_0")
              .doesNotContain("handoff_orders_0_xid_id");
        }
      }
    }
  }

  /** Not compressed: what is small as it is stored is not looked at for its size. */
  @Test
  void aPayloadThatIsLargerThanAPieceComesInPieces() throws Exception {
    String letters = "repeat(md5(n::text), 400)"; // 12,800 bytes, and two quotes.
    site.database.execute("ALTER TABLE " + PARTITION + " ALTER payload SET STORAGE EXTERNAL");
    site.run(
        "INSERT INTO handoff.orders (key, payload) VALUES ('small', '1')",
        "INSERT INTO handoff.orders (key, payload) SELECT CASE WHEN n > 1 THEN 'k' || n END,"
            + " to_json(left("
            + letters
            + ", 10000 * n - 2)) FROM generate_series(1, 2) n",
        "INSERT INTO handoff.orders (key, payload) SELECT 'umlauts', to_json(string_agg(chr(200 + i"
            + " % 1000), E'\\n')) FROM generate_series(1, 30000) i");
    List<String> found = new ArrayList<>();
    try (Connection connection = TestSessions.patient(site.database, "host-a").openForQueries();
        StoredRows rows = new StoredRows(connection, IN_PIECES, RebaseSite.ORDERS)) {
      rows.scan(
          new HandoffRows.RowSink() {
            @Override
            public void row(KeptRow row) {
              found.add(row.id() + " " + (row.id() == 2 ? "not read" : md5(row.payload())));
            }

            @Override
            public void progress(long read, long pages) {}
          });
    }

    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            site.ask(
                "SELECT id || ' ' || CASE WHEN id = 2 THEN 'not read' ELSE md5(payload::text) END"
                    + " FROM handoff.orders"));
  }

  private static String md5(KeptRow.Payload payload) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      for (ByteBuffer piece = payload.next(); piece != null; piece = payload.next()) {
        assertThat(piece.remaining()).isLessThanOrEqualTo(PIECE);
        digest.update(piece);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void betweenTwoRangesNothingIsHeldBack() throws Exception {
    site.insert("a");
    List<String> states = new ArrayList<>();
    scan(
        () ->
            states.addAll(
                site.ask(
                    "SELECT state || coalesce(backend_xmin::text, '') FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        + " AND application_name LIKE '%host-a%'")));

    assertThat(states).isNotEmpty().containsOnly("idle");
  }

  @Test
  void aTableThatIsRewrittenMeanwhileProvesNothing() throws Exception {
    site.insert("a", "b");

    assertThatThrownBy(() -> scan(() -> site.run("VACUUM FULL " + PARTITION)))
        .isInstanceOfSatisfying(
            DatabaseException.class, e -> assertThat(e.kind()).isEqualTo(DatabaseErrorKind.BUSY))
        .hasMessageContaining(PARTITION)
        .hasMessageContaining("run it again");
  }

  @Test
  void whoHasLockedATableIsToldAndWaitedForAndNoRowComesTwice() throws Exception {
    String next = "recorder.handoff_orders_1";
    site.insert("a");
    site.run("SELECT setval(pg_get_serial_sequence('handoff.orders', 'id'), 1::bigint << 32)");
    site.insert("b");
    List<String> told = new ArrayList<>();
    List<Long> found = new ArrayList<>();
    try (Connection stranger = site.database.connect();
        StoredRows rows = hurried()) {
      lock(stranger, "handoff.orders");

      rows.waiting(releasing(stranger, told))
          .scan(into(found, () -> lock(stranger, next))); // Which is to be read now.
    }
    assertThat(found).containsExactly(1L, (1L << 32) + 1);
    assertThat(told)
        .hasSize(2)
        .allSatisfy(why -> assertThat(why).contains("(SQLSTATE 55P03); blocked by database"))
        .last()
        .asString()
        .contains("with AccessExclusiveLock on " + next);
  }

  /** It waits in the midst of a range, for the large value of a row. */
  @Test
  void whatHasHandedRowsOverIsNotAskedAgain() throws Exception {
    String next = "recorder.handoff_orders_1";
    site.insert("a");
    site.database.execute("ALTER TABLE " + next + " ALTER payload SET STORAGE EXTERNAL");
    site.run(
        "SELECT setval(pg_get_serial_sequence('handoff.orders', 'id'), 1::bigint << 32)",
        "INSERT INTO handoff.orders (key, payload) SELECT n, '{}' FROM generate_series(1, 9) n",
        "INSERT INTO handoff.orders (key, payload) VALUES ('large', to_json(repeat('x', 4000)))");
    String large =
        site.database.one(
            "SELECT reltoastrelid::regclass FROM pg_class WHERE oid = '%s'::regclass"
                .formatted(next));
    List<Long> found = new ArrayList<>();
    List<String> told = new ArrayList<>();
    try (Connection stranger = site.database.connectAsSuperuser();
        StoredRows rows = hurried()) {
      assertThatThrownBy(
              () ->
                  rows.waiting(releasing(stranger, told))
                      .scan(into(found, () -> execute(stranger, "REINDEX TABLE " + large))))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("SQLSTATE 55P03");
    }
    assertThat(found).hasSize(10).doesNotHaveDuplicates();
    assertThat(told).isEmpty();
  }

  @Test
  void whoDoesNotWaitIsToldWhoHasLockedTheTable() throws Exception {
    site.insert("a");
    try (Connection stranger = site.database.connect();
        StoredRows rows = hurried()) {
      lock(stranger, PARTITION);

      assertThatThrownBy(() -> rows.scan(nothing()))
          .isInstanceOfSatisfying(
              DatabaseException.class, e -> assertThat(e.kind()).isEqualTo(DatabaseErrorKind.BUSY))
          .hasMessageContaining("with AccessExclusiveLock on " + PARTITION);
    }
  }

  /** It has asked for the lock more than once by then. */
  @Test
  void aLockThatIsGivenBackSoonBreaksNoScheduledVerificationOff() throws Exception {
    site.insert("a");
    UUID log = UUID.fromString(site.ask("SELECT log_uuid FROM recorder.lock_recorders").get(0));
    try (Connection stranger = site.database.connect();
        AuditSession session =
            new AuditSession(site.sessions(), RebaseSite.ORDERS, new Term(1, 1, "host-a", log))) {
      lock(stranger, PARTITION);
      CompletableFuture<Void> scan =
          CompletableFuture.runAsync(() -> session.rows().scan(nothing()));
      Set<String> waits = new HashSet<>();
      await()
          .until(
              () -> {
                waits.addAll(
                    site.ask("SELECT waitstart::text FROM pg_locks WHERE waitstart IS NOT NULL"));
                return waits.size() > 1;
              });
      stranger.rollback();

      scan.get();
    }
  }

  @Test
  void aRangeHoldsFewerPagesTheMoreThereIsBesideThem() {
    assertThat(StoredRows.pagesPerRange(1_000_000, 8_192_000_000L, 64L << 20)).isEqualTo(2_048);
    assertThat(StoredRows.pagesPerRange(100, 100L << 20, 64L << 20)).isEqualTo(64);
    assertThat(StoredRows.pagesPerRange(1, 1L << 40, 64L << 20)).isEqualTo(1);
    assertThat(StoredRows.pagesPerRange(0, 0, 64L << 20)).isEqualTo(2_048);
  }

  // ---- helpers

  private StoredRows hurried() throws SQLException {
    return new StoredRows(
        TestSessions.patient(site.database, "host-a").openForQueries(Duration.ofMillis(100)),
        IN_PIECES,
        RebaseSite.ORDERS);
  }

  private static void lock(Connection stranger, String table) {
    execute(stranger, "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
  }

  private static void execute(Connection stranger, String sql) {
    try (Statement statement = stranger.createStatement()) {
      stranger.setAutoCommit(false);
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static LockWaits releasing(Connection stranger, List<String> told) {
    return (times, why) -> {
      told.add(why);
      try {
        stranger.rollback();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      return true;
    };
  }

  /** What is done between two ranges has a session that is not the scan's. */
  private static HandoffRows.RowSink into(List<Long> found, Runnable between) {
    return new HandoffRows.RowSink() {
      @Override
      public void row(KeptRow row) {
        found.add(row.id());
      }

      @Override
      public void progress(long read, long pages) {
        between.run();
      }
    };
  }

  private static HandoffRows.RowSink nothing() {
    return new HandoffRows.RowSink() {
      @Override
      public void row(KeptRow row) {}

      @Override
      public void progress(long read, long pages) {}
    };
  }

  /** What happens between two ranges. */
  @FunctionalInterface
  private interface Between {
    void happen() throws SQLException;
  }

  private List<KeptRow> scan(Between between) {
    List<KeptRow> found = new ArrayList<>();
    HandoffRows.RowSink sink =
        new HandoffRows.RowSink() {
          @Override
          public void row(KeptRow row) {
            found.add(row);
          }

          @Override
          public void progress(long read, long pages) {
            try {
              between.happen();
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          }
        };
    try (StoredRows rows =
        StoredRows.open(TestSessions.patient(site.database, "host-a"), RebaseSite.ORDERS, 1)) {
      rows.scan(sink);
    }
    return found;
  }
}
