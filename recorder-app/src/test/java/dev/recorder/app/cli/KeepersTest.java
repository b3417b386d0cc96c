package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.Facts;
import dev.recorder.operate.HostFacts;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.Paused;
import dev.recorder.operate.RecorderFacts;
import dev.recorder.operate.RecorderStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of a pause and its end, by who is there. */
class KeepersTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private String kind = "log";
  private @Nullable String holder = "host-a";
  private @Nullable Paused paused;

  @Test
  void aLogGoesOnSoonOnlyWhereItsHolderIsAlive() {
    assertThat(keepers(host("host-a", true, List.of(1)))).isEqualTo(Keepers.AT_WORK);
    assertThat(keepers(host("host-a", false, List.of(1)))).isEqualTo(Keepers.GONE);
    assertThat(keepers()).isEqualTo(Keepers.GONE);
  }

  @Test
  void aLogThatNobodyHasGoesOnWithWhoeverIsAbleToTakeIt() {
    holder = null;
    assertThat(keepers(host("host-a", true, List.of(1)))).isEqualTo(Keepers.READY);
    assertThat(keepers(host("host-a", true, List.of()))).isEqualTo(Keepers.UNABLE);
  }

  @Test
  void aLogWhoseHolderIsHeldUpGoesOnOnceThatIsOver() {
    HostFacts standby = host("host-b", true, List.of(1));
    HostFacts heldUp = host("host-a", true, List.of(1), About.HELD_UP);

    assertThat(keepers(heldUp, standby)).isEqualTo(Keepers.HELD_UP);
    paused = new Paused(NOW, "why", null, null);
    assertThat(keepers(heldUp, standby)).isEqualTo(Keepers.HELD_UP);
    assertThat(keepers(host("host-a", true, List.of(1)), standby)).isEqualTo(Keepers.AT_WORK);
  }

  @Test
  void requestsGoOnWhereAHostProcessesThem() {
    kind = "requests";
    holder = null;
    HostFacts refused = host("host-a", true, List.of(), About.REFUSED);

    assertThat(keepers(host("host-a", true, List.of()))).isEqualTo(Keepers.AT_WORK);
    assertThat(keepers(refused)).isEqualTo(Keepers.UNABLE);
    assertThat(keepers(refused, host("host-b", true, List.of()))).isEqualTo(Keepers.AT_WORK);
    assertThat(keepers(host("host-a", false, List.of()))).isEqualTo(Keepers.GONE);
  }

  @Test
  void nobodyIsPromisedTwoSecondsInVain() {
    for (Keepers each : List.of(Keepers.HELD_UP, Keepers.READY, Keepers.UNABLE, Keepers.GONE)) {
      assertThat(each.goesOn()).doesNotContain("two seconds");
    }
  }

  private Keepers keepers(HostFacts... hosts) {
    RecorderStatus status = new RecorderStatus("orders", 1, kind, holder, 1, 1, 0, null, null);
    RecorderFacts orders = new RecorderFacts(status, null, null, null, null, null, paused);
    Facts facts = new Facts(NOW, true, List.of(hosts), List.of(orders), Optional.empty());
    return Keepers.of(facts, orders);
  }

  private static HostFacts host(String name, boolean alive, List<Integer> able, About... about) {
    return new HostFacts(
        new MachineStatus(name, alive, NOW, 0, 0, List.of(), able, List.of(), "1", "hash"),
        alive,
        Set.of(),
        Map.of("recorder:orders", "hash"),
        List.of(about).stream()
            .map(each -> new Condition("orders", each, "why", Duration.ZERO))
            .toList());
  }
}
