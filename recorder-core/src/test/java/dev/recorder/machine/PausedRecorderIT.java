package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.orders.PauseOrder;
import dev.recorder.postgres.Sessions;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.servers.TestSettings;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines on a real database whose recorder is paused. */
class PausedRecorderIT {
  private static final RecorderName ORDERS = new RecorderName("orders");

  private OrdersMachines machines;
  private Inspection operator;

  @BeforeEach
  void open() throws Exception {
    machines = new OrdersMachines();
  }

  @AfterEach
  void close() throws Exception {
    if (operator != null) {
      operator.close();
    }
    machines.close();
  }

  @Test
  void whatComesInAPauseIsRecordedTogetherWhenItIsResumed() throws Exception {
    RunningMachine a = begin();
    pause(Duration.ofHours(1));
    machines.insert(4, 1);
    await().until(() -> a.metrics().isPaused("orders"));
    machines.insert(5, 1);
    assertThat(machines.recorded()).containsExactly(1L, 2L, 3L);

    assertThat(operator.pauses().resume(ORDERS, "bob")).isTrue();
    await().until(() -> machines.recorded().size() == 5);
    assertThat(machines.query("SELECT last_slot FROM recorder.lock_recorders")).isEqualTo("2");
    await().until(() -> !a.metrics().isPaused("orders"));
  }

  @Test
  void whoTakesOverInAPauseGoesOnByItselfWhenItsTimeIsOver() throws Exception {
    RunningMachine a = begin();
    pause(Duration.ofHours(1));
    RunningMachine b = machines.start("host-b", false);
    await().until(() -> b.metrics().isPaused("orders"));
    machines.insert(4, 2);
    a.stop();
    machines.awaitHolder("host-b");
    assertThat(machines.recorded()).hasSize(3);

    machines.execute(
        "UPDATE recorder.lock_recorders SET paused_until = clock_timestamp() + interval '1 s'");
    await().until(() -> machines.recorded().size() == 5);
    assertThat(machines.query("SELECT holder FROM recorder.lock_recorders")).isEqualTo("host-b");
  }

  @Test
  void theTableOfARecorderThatIsPausedIsNotCleared() throws Exception {
    RunningMachine maker = machines.start("host-a", true);
    machines.awaitHolder("host-a");
    maker.stop();
    operator = Inspection.open(new Sessions(TestSettings.patient(machines.database), "cli"));
    pause(Duration.ofHours(1));
    LogLayout audit = new LogLayout("", "b", "p", new RecorderName("audit"), Compression.GZIP);
    machines.start(
        MachineSettings.of("host-a", TestSettings.patient(machines.database))
            .timing(TestSettings.PATIENT)
            .log(clearing(1, OrdersMachines.LAYOUT))
            .log(clearing(2, audit))
            .build(),
        machines.bucket);
    // Its first turn notes the block in use, its next the one behind it, as there are rows.
    await().until(() -> blocks(2) == 1);
    machines.execute("INSERT INTO handoff.audit (payload) VALUES ('1')");
    await().until(() -> blocks(2) == 2);
    assertThat(blocks(1)).isZero();

    operator.pauses().resume(ORDERS, "bob");
    await().until(() -> blocks(1) == 1);
  }

  private static RecorderSettings clearing(int lockId, LogLayout layout) {
    return RecorderSettings.of(lockId, layout).history(Duration.ZERO).historyBlock(1).build();
  }

  private long blocks(int lockId) throws Exception {
    return machines.database.number(
        "SELECT count(*) FROM recorder.blocks WHERE lock_id = " + lockId);
  }

  /** One slot, with three rows. */
  private RunningMachine begin() throws Exception {
    RunningMachine a = machines.start("host-a", true);
    machines.awaitHolder("host-a");
    machines.insert(1, 3);
    await().until(() -> machines.recorded().size() == 3);
    await()
        .until(() -> machines.query("SELECT last_slot FROM recorder.lock_recorders").equals("1"));
    operator = Inspection.open(new Sessions(TestSettings.patient(machines.database), "cli"));
    return a;
  }

  private void pause(Duration lasts) {
    assertThat(operator.pauses().pause(ORDERS, new PauseOrder(lasts, "bucket moves", "alice")))
        .isTrue();
  }
}
