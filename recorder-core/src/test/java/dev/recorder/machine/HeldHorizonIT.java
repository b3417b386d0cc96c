package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.WatchCost;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
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

      await()
          .atMost(HELD.plusMinutes(10))
          .pollInterval(Duration.ofSeconds(10))
          .until(() -> System.nanoTime() - begun > HELD.toNanos());

      // Machines are found past their old rows; the versions of a recorder's row are all read.
      double millis = WatchCost.millis(looking);
      for (int again = 0; again < 10; again++) {
        millis = Math.min(millis, WatchCost.millis(looking));
      }
      System.out.printf(
          "figure: after %d min, %s slots: the watch takes %.2f ms, %d pages%n",
          HELD.toMinutes(),
          machines.query("SELECT last_slot FROM recorder.lock_recorders"),
          millis,
          WatchCost.pages(looking));
      assertThat(millis).isLessThan(MOST_MILLIS);
      assertThat(machines.query("SELECT count(*) FROM recorder.takeovers")).isEqualTo("1");
    }
  }

  private static void hold(Connection dump) throws Exception {
    dump.setAutoCommit(false);
    dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = dump.createStatement()) {
      statement.execute("SELECT count(*) FROM recorder.info_recorders");
    }
  }
}
