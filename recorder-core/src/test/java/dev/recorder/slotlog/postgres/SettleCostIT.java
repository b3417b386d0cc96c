package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Term;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What it costs to settle a slot and to plan the next, in pages, beside all the slots of a long
 * life: {@code -Dslots.rows=10000000} for more than the usual number.
 */
class SettleCostIT {
  private static final long SLOTS = Long.getLong("slots.rows", 200_000);
  private static final Term TERM = new Term(1, 1, "a", new UUID(1, 1));

  /** Two rows, each found and written by way of an index's root and leaf. */
  private static final long A_FEW_PAGES = 60;

  private TestDatabase database;
  private Connection session;

  @BeforeEach
  void setUp() throws Exception {
    database = TestDatabase.createOwned();
    OneLog.setUp(TestSessions.of(database, "setup"), OneLog.wanted(1, "orders"));
    session = TestSessions.patient(database, "a").openData();
    session.setAutoCommit(true);
    execute("UPDATE recorder.lock_recorders SET epoch = 1, holder = 'a', last_slot = " + SLOTS);
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

  private void execute(String sql) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute(sql);
    }
  }
}
