package dev.recorder.app.cli.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.host.PauseConsequence.HostAvailability;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of a pause and its end, by who is there. */
class PauseConsequenceTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private String kind = "log";
  private @Nullable String holder = "host-a";
  private @Nullable PausedRecorder paused;

  @Test
  void aLogGoesOnSoonOnlyWhereItsHolderIsAlive() {
    assertThat(presence(host("host-a", true, List.of(1)))).isEqualTo(HostAvailability.AT_WORK);
    assertThat(presence(host("host-a", false, List.of(1)))).isEqualTo(HostAvailability.GONE);
    assertThat(presence()).isEqualTo(HostAvailability.GONE);
  }

  @Test
  void aLogThatNobodyHasGoesOnWithWhoeverIsAbleToTakeIt() {
    holder = null;
    assertThat(presence(host("host-a", true, List.of(1)))).isEqualTo(HostAvailability.READY);
    assertThat(presence(host("host-a", true, List.of()))).isEqualTo(HostAvailability.UNABLE);
  }

  @Test
  void whatHoldsItsHolderUpIsSaidInsteadOfAPromise() {
    HostFacts standby = host("host-b", true, List.of(1));
    HostFacts heldUp = host("host-a", true, List.of(1), About.HELD_UP);
    for (PausedRecorder each :
        new PausedRecorder[] {null, new PausedRecorder(NOW, "moves", null, null)}) {
      paused = each;

      assertThat(effect(heldUp, standby).goesOn())
          .isEqualTo(
              "is no longer paused, but it is held up on host-a, and continues after that:"
                  + " why");
      assertThat(effect(heldUp, standby).whilePaused())
          .isEqualTo(
              "it is held up at the moment (why): work in progress is finished once that is over;"
                  + " then nothing new is read or written");
      assertThat(effect(host("host-a", true, List.of(1)), standby).heldUp()).isNull();
    }
  }

  @Test
  void requestsGoOnWhereAHostProcessesThem() {
    kind = "requests";
    holder = null;
    HostFacts refused = host("host-a", true, List.of(), About.REFUSED);

    assertThat(presence(host("host-a", true, List.of()))).isEqualTo(HostAvailability.AT_WORK);
    assertThat(presence(refused)).isEqualTo(HostAvailability.UNABLE);
    assertThat(presence(refused, host("host-b", true, List.of())))
        .isEqualTo(HostAvailability.AT_WORK);
    assertThat(presence(host("host-a", false, List.of()))).isEqualTo(HostAvailability.GONE);
  }

  @Test
  void nobodyIsPromisedTwoSecondsInVain() {
    for (HostAvailability each :
        List.of(HostAvailability.READY, HostAvailability.UNABLE, HostAvailability.GONE)) {
      assertThat(new PauseConsequence(each, "", null).goesOn()).doesNotContain("two seconds");
    }
  }

  @Test
  void whoGoesOnIsNamed() {
    assertThat(effect(host("host-a", true, List.of(1)), host("host-b", true, List.of(1))).goesOn())
        .isEqualTo("is no longer paused; waiting work begins within two seconds on host-a");
    kind = "requests";
    holder = null;
    assertThat(effect(host("host-a", true, List.of()), host("host-b", true, List.of())).goesOn())
        .endsWith(" on host-a, host-b");
  }

  private HostAvailability presence(HostFacts... hosts) {
    return effect(hosts).presence();
  }

  private PauseConsequence effect(HostFacts... hosts) {
    RecorderStatus status = new RecorderStatus("orders", 1, kind, holder, 1, 1, 0, null, null);
    RecorderFacts orders = new RecorderFacts(status, null, null, null, null, null, paused, null);
    Facts facts = new Facts(NOW, List.of(hosts), List.of(orders), Optional.empty());
    Limits limits = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2);
    return PauseConsequence.of(Diagnosis.of(facts, limits), orders);
  }

  private static HostFacts host(String name, boolean alive, List<Integer> able, About... about) {
    return new HostFacts(
        new MachineStatus(name, alive, NOW, 0, 0, List.of(1), able, List.of(), "1", "hash"),
        alive,
        Set.of(),
        Map.of("recorder:orders", "hash"),
        List.of(about).stream()
            .map(each -> new Condition("orders", each, "why", Duration.ZERO))
            .toList());
  }
}
