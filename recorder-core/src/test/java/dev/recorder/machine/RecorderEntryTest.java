package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.ConditionBoard;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.machine.term.Draining;
import dev.recorder.machine.term.RecorderWorker;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.MemoryStore;
import dev.recorder.time.Fatal;
import dev.recorder.time.Ticker;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is stated of a recorder that nobody here is active for; nothing is connected with. */
class RecorderEntryTest {
  private final SharedResources resources =
      new SharedResources(
          new Sessions(DatabaseSettings.of("127.0.0.1", "nowhere", "nobody").build(), "host-a"),
          Fatal.IGNORED,
          new MachineMetrics(Ticker.system(), List.of()));
  private final RecorderEntry member =
      new RecorderEntry(
          new RecorderWorker(
              "host-a",
              RecorderSettings.of(1, OrdersMachines.LAYOUT).build(),
              new MemoryStore(),
              resources,
              (lockId, epoch, ending) -> {}));

  @AfterEach
  void close() {
    resources.close();
  }

  @Test
  void untilItIsKnownWhetherItCanBeTakenItIsBeingChecked() {
    assertThat(stated(About.UNABLE)).containsExactly("testing database and store");

    member.unable = "HTTP 403";
    member.looked = true;
    assertThat(stated(About.UNABLE)).containsExactly("HTTP 403");

    member.unable = null;
    assertThat(stated(About.UNABLE)).isEmpty();
    assertThat(stated(About.READY)).hasSize(1);
  }

  @Test
  void whatIsRefusedIsNotBeingChecked() {
    member.refusal = "lockid 1 belongs to others";

    assertThat(stated(About.UNABLE)).isEmpty();
    assertThat(stated(About.REFUSED)).containsExactly("lockid 1 belongs to others");
  }

  private List<String> stated(About about) {
    ConditionBoard board = resources.conditions();
    member.state(board, new Draining("host-a"));
    return board.conditions().stream()
        .filter(condition -> condition.about() == about)
        .map(Condition::why)
        .toList();
  }
}
