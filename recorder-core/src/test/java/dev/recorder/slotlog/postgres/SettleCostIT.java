package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Term;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.HeldVersions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What it costs to settle a slot and to plan the next, in pages, beside all the slots of a long
 * life: {@code -Dslots.rows=10000000} for more than the usual number.
 */
@Tag("nightly")
class SettleCostIT {
  private static final long SLOTS = Long.getLong("slots.rows", 200_000);
  private static final Term TERM = new Term(1, 1, "a", new UUID(1, 1));

  /** Two rows, each found and written by way of an index's root and leaf. */
  private static final long A_FEW_PAGES = 60;

  /** One row, and that there is none of another. */
  private static final long CHECK_PAGES = 12;

  private static final int SETTLED = 99;

  private TestDatabase database;
  private Connection session;

  @BeforeEach
  void setUp() throws Exception {
    database = TestDatabase.createOwned();
    OneLog.setUp(TestSessions.of(database, "setup"), OneLog.wanted(1, "orders"));
    session = TestSessions.patient(database, "a").openData();
    session.setAutoCommit(true);
    execute(
        "UPDATE recorder.lock_recorders SET epoch = 1, holder = 'a',"
            + " chain = repeat('0', 64), last_slot = "
            + SLOTS);
  }

  @AfterEach
  void close() throws Exception {
    session.close();
    database.close();
  }

  @Test
  void costsAFewPagesHoweverManySlotsThereAre() throws Exception {
    long before = SettlePages.count(session, TERM, SLOTS);
    // On a session without the product's time limits: ten million take a minute.
    database.execute(
        "INSERT INTO recorder.slots SELECT 1, n, md5(n::text), 1, 'a', '3:3:', '3:3:', true, 1,"
            + " '3', n, '3', n, 100, now() FROM generate_series(1, "
            + SLOTS
            + ") n");

    assertThat(before).isLessThan(A_FEW_PAGES);
    assertThat(SettlePages.count(session, TERM, SLOTS)).isLessThan(A_FEW_PAGES);
  }

  /**
   * A version mostly lies beside the one before. One in some dozens begins another page, and has
   * both of the table's keys look at all versions for one that is visible.
   */
  @Test
  void costsAFewPagesHoweverManyVersionsOfItsRowADumpHoldsBack() throws Exception {
    long before = SettlePages.check(session, TERM, SLOTS);
    long[] pages = new long[SETTLED];
    try (HeldVersions held = HeldVersions.hold(database).settle()) {
      long last = SLOTS + HeldVersions.COUNT;
      for (int slot = 0; slot < SETTLED; slot++) {
        pages[slot] = SettlePages.settle(session, TERM, last + slot);
      }
      long after = SettlePages.check(session, TERM, last + SETTLED);
      Arrays.sort(pages);
      System.out.printf(
          "figure: beside %d old versions a slot is settled in %d pages, in %d at worst; a read is"
              + " checked in %d, and beside none in %d%n",
          HeldVersions.COUNT, pages[SETTLED / 2], pages[SETTLED - 1], after, before);
      assertThat(before).isLessThan(CHECK_PAGES);
      assertThat(after).isLessThan(CHECK_PAGES);
      assertThat(pages[SETTLED / 2]).isLessThan(A_FEW_PAGES);
      assertThat(pages[SETTLED * 9 / 10]).isLessThan(A_FEW_PAGES);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute(sql);
    }
  }
}
