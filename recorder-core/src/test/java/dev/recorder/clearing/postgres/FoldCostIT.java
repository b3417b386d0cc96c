package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What it costs to fold all the slots of a long life, as when clearing begins late: {@code
 * -Dslots.rows=10000000} for more than the usual number.
 */
@Tag("nightly")
class FoldCostIT {
  private static final long SLOTS = Long.getLong("slots.rows", 50_000);
  private static final long SLOTS_A_TURN = 20_000;
  private static final long SLOTS_AT_ONCE = 1_000;

  /**
   * A quarter of a MB is usual. Of a page that is changed for the first time since a checkpoint,
   * all of it is logged, and so is what other tests do meanwhile.
   */
  private static final long MOST_LOGGED_AT_ONCE = 4 << 20;

  private FoldingSite site;

  @BeforeEach
  void create() throws Exception {
    site =
        new FoldingSite(
            TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), new MemoryStore());
    // On a session without the product's time limits: ten million take a minute.
    site.log.database.execute(
        "INSERT INTO recorder.slots SELECT 1, n, encode(sha256(n::text::bytea), 'hex'), 1, 'a',"
            + " '3:3:', '3:3:', true, 1, '3', n, '3', n, 100, now() FROM generate_series(1, "
            + SLOTS
            + ") n",
        "UPDATE recorder.lock_recorders SET last_slot = " + SLOTS,
        "CHECKPOINT");
  }

  @AfterEach
  void drop() throws Exception {
    site.close();
  }

  @Test
  void eachTurnAndEachTransactionOfItIsSmallHoweverManySlotsWait() throws Exception {
    long left = SLOTS;
    long mostLogged = 0;
    long begun = System.nanoTime();
    while (left > 1) {
      long before = logged();
      assertThat(site.fold()).isEmpty();
      long now = site.log.database.number("SELECT count(*) FROM recorder.slots");
      assertThat(left - now).isEqualTo(Math.min(SLOTS_A_TURN, left - 1));
      mostLogged = Math.max(mostLogged, (logged() - before) * SLOTS_AT_ONCE / (left - now));
      left = now;
    }

    System.out.printf(
        "figure: %d slots folded in %d ms, %d kB of WAL for each %d%n",
        SLOTS, (System.nanoTime() - begun) / 1_000_000, mostLogged >> 10, SLOTS_AT_ONCE);
    assertThat(mostLogged).isLessThan(MOST_LOGGED_AT_ONCE);
    assertThat(site.log.ask("SELECT max(last_slot) FROM recorder.folds"))
        .containsExactly(Long.toString(SLOTS - 1));
  }

  private long logged() throws Exception {
    return site.log.database.number(
        "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
  }
}
