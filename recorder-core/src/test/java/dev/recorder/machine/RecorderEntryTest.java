package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.ConditionBoard;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.machine.term.Draining;
import dev.recorder.machine.term.RecorderWorker;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.metrics.Role;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Ticker;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is stated of a recorder that nobody here is active for; nothing is connected with. */
class RecorderEntryTest {
  private final SharedResources resources =
      new SharedResources(
          new Sessions(DatabaseSettings.of("127.0.0.1", "nowhere", "nobody").build(), "host-a"),
          FatalErrorHandler.IGNORED,
          new MachineMetrics(Ticker.system(), List.of()));
  private final Draining draining = new Draining("host-a");
  private final RecorderEntry entry =
      new RecorderEntry(
          new RecorderWorker(
              "host-a",
              RecorderSettings.of(1, OrdersMachines.LAYOUT).build(),
              new MemoryStore(),
              resources,
              (lockId, epoch, ending) -> {}),
          draining);

  @AfterEach
  void close() {
    resources.close();
  }

  @Test
  void allWhoTellOfItReadTheSame() {
    assertThat(stated()).containsExactly("UNABLE testing database and store");
    assertThat(role()).isEqualTo(Role.UNABLE);

    assertThat(entry.become(ReadinessState.READY, "")).isTrue();
    assertThat(stated()).containsExactly("READY ");
    assertThat(role()).isEqualTo(Role.STANDBY);
  }

  @Test
  void onADrainedHostItIsUnable() {
    entry.become(ReadinessState.READY, "");
    draining.because("it is drained");
    assertThat(stated())
        .containsExactly(
            "UNABLE it is drained; 'recorder undrain host-a' ends that, and a restart");
    assertThat(role()).isEqualTo(Role.UNABLE);

    draining.because("");
    assertThat(stated()).containsExactly("READY ");
  }

  @Test
  void whatIsFoundAgainIsNoNews() {
    assertThat(entry.become(ReadinessState.UNABLE, "HTTP 403")).isTrue();
    assertThat(entry.become(ReadinessState.UNABLE, "HTTP 403")).isFalse();
  }

  private Role role() {
    resources.metrics().log("orders").readiness(entry::readinessHere);
    return resources.metrics().log("orders").role();
  }

  private List<String> stated() {
    ConditionBoard board = resources.conditions();
    entry.state(board);
    return board.conditions().stream()
        .map(condition -> condition.about() + " " + condition.why())
        .toList();
  }
}
