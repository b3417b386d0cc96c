package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.Timing;
import dev.recorder.leadership.postgres.WatchCost;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.holders.XminHolder;
import dev.recorder.postgres.holders.XminHolderQuery;
import dev.recorder.slotlog.Rotation;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code HeldVersionsIT} shows of versions that were written in seconds, with two machines
 * that really beat and record: as many versions as heartbeats of {@code -Dheld.minutes}, an hour
 * unless told, and five slots a second of it. They are written {@code -Dheld.pace} times as fast as
 * usual, ten unless told: what the watch passes is versions, whenever they were written.
 *
 * <p>The watch is run as the product does, on a control session with its role, its settings and its
 * time limits, as often. Pages are judged; times are figures, but for a median that a busy machine
 * keeps, too.
 */
@Tag("long")
class HeldHorizonIT {
  private static final Duration HELD = Duration.ofMinutes(Long.getLong("held.minutes", 60));
  private static final int PACE = Integer.getInteger("held.pace", 10);
  private static final long SLOTS = 5 * HELD.toSeconds();
  private static final Duration USUAL_BEAT = Timing.DEFAULT.heartbeat();
  private static final long BEATS = HELD.dividedBy(USUAL_BEAT);
  private static final double MOST_MILLIS = 50;

  /** What is not held makes room for what comes: then a page or two do for all of them. */
  private static final long MOST_ON_A_PAGE = 100;

  private final List<Double> looks = new ArrayList<>();
  private int lost;

  @Test
  void theWatchStaysQuickHoweverLongADumpTakes() throws Exception {
    staysQuickBeside(HorizonHold::dump, "database session");
  }

  @Test
  void theWatchStaysQuickHoweverLongATransactionIsPrepared() throws Exception {
    staysQuickBeside(HorizonHold::prepared, "the prepared transaction 'left over'");
  }

  @Test
  void theWatchStaysQuickHoweverLongAStandbyGivesFeedback() throws Exception {
    staysQuickBeside(HorizonHold::standby, "the feedback of the standby");
  }

  private void staysQuickBeside(HorizonHold.Kind kind, String named) throws Exception {
    try (OrdersMachines machines = new OrdersMachines()) {
      start(machines, "host-a", true);
      machines.awaitHolder("host-a");
      start(machines, "host-b", false);
      await().until(() -> machines.query(OF_MACHINES).equals("2"));
      try (AutoCloseable held = kind.hold(machines.database)) {
        await().untilAsserted(() -> assertThat(holder(machines.database)).startsWith(named));
        lookUntilAllIsWritten(machines);

        long pages = pages(machines.database);
        print(machines, named, pages);
        assertThat(machines.database.number(PAGES_OF_LOG)).isGreaterThan(SLOTS / MOST_ON_A_PAGE);
        assertThat(holder(machines.database)).startsWith(named);
        assertThat(pages).isLessThan(WatchCost.A_FEW_PAGES);
        assertThat(median(lastTenth())).isLessThan(MOST_MILLIS);
        assertThat(machines.query(TAKEOVERS)).isEqualTo("start");
      }
    }
  }

  private static final String OF_MACHINES = "SELECT count(*) FROM recorder.info_recorders";
  private static final String FEWEST_BEATS = "SELECT min(beat) FROM recorder.info_recorders";
  private static final String TAKEOVERS = "SELECT string_agg(reason, ', ') FROM recorder.takeovers";
  private static final String LAST_SLOT = "SELECT last_slot FROM recorder.lock_recorders";
  private static final String PAGES_OF_LOG =
      "SELECT pg_relation_size('recorder.lock_recorders') / 8192";

  private static void start(OrdersMachines machines, String name, boolean primary) {
    MachineSettings settings =
        MachineSettings.of(name, TestSettings.patient(machines.database))
            .timing(TestSettings.PATIENT.change().heartbeat(USUAL_BEAT.dividedBy(PACE)).build())
            .log(
                RecorderSettings.of(1, OrdersMachines.LAYOUT)
                    .primary(primary)
                    .rotation(new Rotation(1_000, 1 << 20))
                    .linger(Duration.ofMillis(200).dividedBy(PACE))
                    .tickEvery(Duration.ofMillis(100).dividedBy(PACE))
                    .build())
            .build();
    machines.start(new Machine(settings, recorder -> machines.bucket));
  }

  /** Until then there is no other limit: a slow machine takes longer for it. */
  private void lookUntilAllIsWritten(OrdersMachines machines) throws Exception {
    long slots = SLOTS + machines.database.number(LAST_SLOT);
    long beats = BEATS + machines.database.number(FEWEST_BEATS);
    do {
      try (Connection control = control(machines.database)) {
        for (int look = 0; look < 100; look++) {
          looks.add(WatchCost.millis(control));
          TimeUnit.MILLISECONDS.sleep(Timing.DEFAULT.watch().toMillis());
        }
      } catch (SQLException | DatabaseException late) {
        lost++; // So does the product on a machine that gets no processor, and goes on.
      }
    } while (machines.database.number(LAST_SLOT) < slots
        || machines.database.number(FEWEST_BEATS) < beats);
  }

  /** With the limits that there are without configuration. */
  private static Connection control(TestDatabase database) {
    return new Sessions(
            DatabaseSettings.of("127.0.0.1", database.name(), TestDatabase.ROLE)
                .port(database.server().port())
                .password(TestDatabase.PASSWORD)
                .build(),
            "looking")
        .openControl();
  }

  private static long pages(TestDatabase database) throws SQLException {
    try (Connection control = new Sessions(TestSettings.patient(database), "l").openControl()) {
      return WatchCost.pages(control);
    }
  }

  private static String holder(TestDatabase database) throws SQLException {
    try (Connection asking = database.connect()) {
      return XminHolderQuery.oldest(asking).map(XminHolder::what).orElse("");
    }
  }

  private void print(OrdersMachines machines, String named, long pages) throws SQLException {
    System.out.printf(
        "figure: %s; %d min, beside %s: after %s beats of each machine and %s slots, a table of %d"
            + " pages, the watch reads %d pages; of %d looks, the last tenth: %.2f ms in the"
            + " median, %.2f ms at worst; all: %.2f ms and %.2f ms; sessions lost: %d%n",
        machines.database.server().description(),
        HELD.toMinutes(),
        named,
        machines.query(FEWEST_BEATS),
        machines.query(LAST_SLOT),
        machines.database.number(PAGES_OF_LOG),
        pages,
        looks.size(),
        median(lastTenth()),
        worst(lastTenth()),
        median(looks),
        worst(looks),
        lost);
  }

  private List<Double> lastTenth() {
    return looks.subList(looks.size() - Math.max(1, looks.size() / 10), looks.size());
  }

  private static double median(List<Double> millis) {
    return millis.stream().sorted().skip(millis.size() / 2).findFirst().orElseThrow();
  }

  private static double worst(List<Double> millis) {
    return millis.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }
}
