package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.WatchCost;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code HeldVersionsIT} shows of versions that were written in seconds, with two machines
 * that really beat, and record five slots a second, for {@code -Dheld.minutes}, an hour unless
 * told.
 */
@Tag("long")
class HeldHorizonIT {
  private static final Duration HELD = Duration.ofMinutes(Long.getLong("held.minutes", 60));
  private static final double MOST_MILLIS = 50;
  private static final Duration TICK = Duration.ofMillis(50);
  private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(5);
  private static final int LOOKS = 11;

  @Test
  void theWatchStaysQuickHoweverLongADumpTakes() throws Exception {
    try (OrdersMachines machines = new OrdersMachines();
        Connection dump = machines.database.connectAsSuperuser();
        Connection looking = machines.database.connectAsSuperuser()) {
      machines.start("host-a", true, TICK);
      machines.awaitHolder("host-a");
      machines.start("host-b", false, TICK);
      hold(dump);
      long begun = System.nanoTime();

      // Machines are found past their old rows; the versions of a recorder's row are all read.
      double worst = 0;
      double last = 0;
      do {
        TimeUnit.NANOSECONDS.sleep(BETWEEN_SAMPLES.toNanos());
        last = quickestOfSomeLooks(looking);
        worst = Math.max(worst, last);
      } while (System.nanoTime() - begun < HELD.toNanos());
      System.out.printf(
          "figure: after %d min, %s slots: the watch takes %.2f ms, %d pages; %.2f ms at worst%n",
          HELD.toMinutes(),
          machines.query("SELECT last_slot FROM recorder.lock_recorders"),
          last,
          WatchCost.pages(looking),
          worst);
      assertThat(worst).isLessThan(MOST_MILLIS);
      assertThat(machines.query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
    }
  }

  /** Of looks one after the other: what they wait for a processor is not the watch's. */
  private static double quickestOfSomeLooks(Connection looking) throws SQLException {
    double quickest = WatchCost.millis(looking);
    for (int look = 1; look < LOOKS; look++) {
      quickest = Math.min(quickest, WatchCost.millis(looking));
    }
    return quickest;
  }

  private static void hold(Connection dump) throws Exception {
    dump.setAutoCommit(false);
    dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = dump.createStatement()) {
      statement.execute("SELECT count(*) FROM recorder.info_recorders");
    }
  }
}
