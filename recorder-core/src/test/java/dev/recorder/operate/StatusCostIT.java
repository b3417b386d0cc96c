package dev.recorder.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.HeldVersions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What all statements of {@code status} cost together, in pages, beside all the slots of a long
 * life: {@code -Dslots.rows=10000000} for more than the usual number.
 */
@Tag("nightly")
class StatusCostIT {
  private static final long FEW = 6;
  private static final long SLOTS = Long.getLong("slots.rows", 200_000);
  private static final int WAITING = 10;

  /** Of a dozen statements, most of which also ask the server's own tables. */
  private static final long A_FEW_PAGES = 250;

  /** Not each look finds the same in the server's own tables. */
  private static final long A_FEW_MORE = 60;

  private static PostgresServer server;
  private static TestDatabase database;

  @BeforeAll
  static void setUp() throws Exception {
    server = PostgresServer.builder().set("shared_preload_libraries", "pg_stat_statements").start();
    database = TestDatabase.createOn(server, TestDatabase.ROLE);
    database.execute("CREATE EXTENSION pg_stat_statements");
    OneLog.setUp(TestSessions.patient(database, "setup"), OneLog.wanted(1, "orders"));
    database.execute(
        "UPDATE recorder.lock_recorders SET epoch = 1, holder = 'a',"
            + " chain = repeat('0', 64), last_slot = "
            + SLOTS,
        "INSERT INTO handoff.orders (key, payload) SELECT n, '{}' FROM generate_series(1, "
            + WAITING
            + ") n");
  }

  @AfterAll
  static void close() throws Exception {
    database.close();
    server.close();
  }

  @Test
  void statusLooksAtAFewPagesHoweverManySlotsThereAre() throws Exception {
    slots(1, FEW);
    long besideFew = pages();
    slots(FEW + 1, SLOTS);
    long besideMany = pages();

    System.out.printf(
        "figure: status reads %d pages beside %d slots, and %d beside %d%n",
        besideFew, FEW, besideMany, SLOTS);
    assertThat(besideFew).isBetween(1L, A_FEW_PAGES);
    assertThat(besideMany).isLessThan(besideFew + A_FEW_MORE);
  }

  @Test
  void statusLooksAtAFewPagesHoweverManyVersionsADumpHoldsBack() throws Exception {
    machines("a", "b");
    long besideNone = pages();
    try (HeldVersions held = HeldVersions.hold(database).beat().settle()) {
      long besideMany = pages();

      System.out.printf(
          "figure: status reads %d pages beside no old versions, and %d beside %d of each row%n",
          besideNone, besideMany, HeldVersions.COUNT);
      assertThat(besideNone).isBetween(1L, A_FEW_PAGES);
      assertThat(besideMany).isLessThan(besideNone + A_FEW_MORE);
    }
  }

  /**
   * A look at one log is one of a thousand where there are a thousand logs, of nine tables each.
   */
  @Test
  void statusLooksAtAFewPagesHoweverManyTablesThereAre() throws Exception {
    long besideFew = pages();
    database.execute(
        "CREATE SCHEMA others",
        "DO $$ BEGIN FOR n IN 1..1000 LOOP"
            + " EXECUTE format('CREATE TABLE others.%I ()', 'others_' || n); END LOOP; END $$");
    long besideMany = pages();

    System.out.printf(
        "figure: status reads %d pages, and %d beside 1000 other tables%n", besideFew, besideMany);
    assertThat(besideMany).isLessThan(besideFew + A_FEW_MORE);
  }

  private static void machines(String... names) throws SQLException {
    for (String name : names) {
      database.execute(
          "INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, pid,"
              + " backend_start, version, config_hash) VALUES ('"
              + name
              + "', now(), 1, 0, 1, now(), '', '')",
          "INSERT INTO recorder.conditions SELECT name, pid, backend_start, now(), '[]'"
              + " FROM recorder.info_recorders WHERE name = '"
              + name
              + "'");
    }
  }

  /** Of the second look of a session: the first also reads the server's own tables. */
  private static long pages() throws Exception {
    try (Inspection inspection = Inspection.open(TestSessions.patient(database, "outside"))) {
      look(inspection);
      database.execute("SELECT pg_stat_statements_reset()");
      look(inspection);
    }
    return pagesOfTheRecorder();
  }

  private static void look(Inspection inspection) {
    Facts facts = inspection.facts(Duration.ofSeconds(2), 1_000);
    assertThat(facts.recorders())
        .singleElement()
        .satisfies(log -> assertThat(log.status().backlog().rows()).isEqualTo(WAITING));
    inspection.workCounts(facts.recorders().stream().map(RecorderFacts::status).toList(), 1_000);
  }

  private static long pagesOfTheRecorder() throws SQLException {
    try (Connection administrator = database.connectAsSuperuser();
        Statement statement = administrator.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT sum(shared_blks_hit + shared_blks_read) FROM pg_stat_statements"
                    + " WHERE userid = 'recorder'::regrole")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void slots(long first, long last) throws SQLException {
    // On a session without the product's time limits: ten million take a minute.
    database.execute(
        "INSERT INTO recorder.slots SELECT 1, n, md5(n::text), 1, 'a', '3:3:', '3:3:', true, 1,"
            + " '3', n, '3', n, 100, now() FROM generate_series("
            + first
            + ", "
            + last
            + ") n");
  }
}
