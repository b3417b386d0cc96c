package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.store.DocumentStore;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two machines of one JVM on a real database: the way of rows into slots, and of a recorder. */
@Tag("smoke")
class MachineIT {
  private OrdersMachines machines;

  @BeforeEach
  void createDatabase() throws SQLException {
    machines = new OrdersMachines();
  }

  @AfterEach
  void stopEverything() throws Exception {
    machines.close();
  }

  @Test
  void everyRowEndsInOneObjectInOrder() throws Exception {
    machines.start("host-a", true);
    machines.awaitHolder("host-a");
    machines.insert(1, 2_500);
    await().until(() -> machines.recorded().size() == 2_500);
    assertThat(machines.recorded()).isSorted().doesNotHaveDuplicates();
    assertThat(new SlotReader(machines.bucket, OrdersMachines.LAYOUT).read(1)).isPresent();
  }

  @Test
  void aStoppedPrimaryReleasesAndItsSecondaryGoesOn() throws Exception {
    RunningMachine a = machines.start("host-a", true);
    machines.awaitHolder("host-a");
    machines.start("host-b", false);
    machines.insert(1, 100);
    await().until(() -> machines.recorded().size() == 100);
    a.stop();
    machines.insert(101, 100);
    machines.awaitHolder("host-b");
    await().until(() -> machines.recorded().size() == 200);
    assertThat(machines.recorded()).isSorted().doesNotHaveDuplicates();
    assertThat(machines.query("SELECT string_agg(reason, ',' ORDER BY id) FROM recorder.takeovers"))
        .isEqualTo("start,released");
  }

  @Test
  void aTimerSourceTicksWhileItsMachineIsActiveAndGoesOnCountingOnTheNext() throws Exception {
    RunningMachine a = machines.start("host-a", true, Duration.ofMillis(20));
    machines.awaitHolder("host-a");
    machines.start("host-b", false, Duration.ofMillis(20));
    await().until(() -> machines.recorded().size() > 5);
    a.stop();
    int before = machines.recorded().size();
    await().until(() -> machines.recorded().size() > before + 5);
    assertThat(
            machines.query(
                "SELECT count(*) FILTER (WHERE (payload->>'tick')::bigint <> place) FROM (SELECT"
                    + " payload, row_number() OVER (ORDER BY xid, id) AS place"
                    + " FROM handoff.orders) ticks"))
        .isEqualTo("0");
  }

  @Test
  void aRecorderThatIsRemovedSettlesWhatIsUnderWayFirst() throws Exception {
    CountDownLatch putting = new CountDownLatch(1);
    DocumentStore slow =
        (DocumentStore)
            Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("putIfAbsent")
                      && arguments[0].equals(OrdersMachines.LAYOUT.slotKey(1))) {
                    putting.countDown();
                    Thread.sleep(700);
                  }
                  return method.invoke(machines.bucket, arguments);
                });
    MachineSettings settings = machines.settings("host-a", true, null);
    Machine machine = machines.start(settings, slow);
    machines.awaitHolder("host-a");
    machines.insert(1, 10);
    putting.await();

    machine.reconfigure(with(settings, List.of()));

    await().until(() -> machines.query("SELECT holder FROM recorder.lock_recorders") == null);
    assertThat(machines.query("SELECT last_slot FROM recorder.lock_recorders")).isEqualTo("1");

    machine.reconfigure(settings);
    machines.insert(11, 10);
    await().until(() -> machines.recorded().size() == 20);
    assertThat(machines.recorded()).isSorted().doesNotHaveDuplicates();
  }

  /** The same with other logs. */
  static MachineSettings with(MachineSettings settings, List<RecorderSettings> recorders) {
    return settings.with(recorders, settings.requests());
  }
}
