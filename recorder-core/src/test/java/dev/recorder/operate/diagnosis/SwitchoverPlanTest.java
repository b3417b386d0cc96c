package dev.recorder.operate.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.diagnosis.SwitchoverPlan.Forecast;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SwitchoverPlanTest {
  private static final int LOCK = 7;
  private static final List<Integer> ABLE = List.of(LOCK);

  private @Nullable String holder = "a";
  private MachineStatus a = machine("a", true, ABLE);
  private MachineStatus b = machine("b", true, ABLE);

  @Test
  void toOneThatIsAbleItGoesInTheNextTerm() {
    assertThat(to("b"))
        .isEqualTo(
            new SwitchoverPlan(Forecast.GOES, "recorder orders goes from a to b, in term 4"));
  }

  @Test
  void whereItIsItStays() {
    assertThat(to("a").forecast()).isEqualTo(Forecast.IS_THERE);
    assertThat(to("a").why()).isEqualTo("recorder orders is active on a already");
  }

  @Test
  void aNameThatNobodyEverHadIsAWrongCall() {
    assertThat(to("x").forecast()).isEqualTo(Forecast.NO_SUCH_MACHINE);
  }

  @Test
  void whoIsNotAbleIsRefusedAndItIsSaidWhereWhyIsSaid() {
    b = machine("b", true, List.of());

    refused("b", "host b is not able", "'recorder explain orders --host b' says why");
  }

  @Test
  void whoIsNotAliveIsRefused() {
    b = machine("b", false, ABLE);

    ends(
        "b",
        Forecast.NOT_ALIVE,
        "host b is not alive, its last heartbeat was at 2026-01-02T03:04:05Z");
  }

  @Test
  void fromOneThatIsNotAliveNothingIsHandedOver() {
    a = machine("a", false, ABLE);

    refused("b", "host a, which has recorder orders, is not alive");
    ends(
        "a",
        Forecast.NOT_ALIVE,
        "is still with a, which is not alive; a standby that is able takes it by itself");
  }

  @Test
  void whoIsNotAliveIsRefusedAsThatThoughNobodyHasIt() {
    holder = null;
    b = machine("b", false, ABLE);

    ends("b", Forecast.NOT_ALIVE, "host b is not alive");
  }

  @Test
  void whatNobodyHasIsNotHandedOver() {
    holder = null;

    refused("b", "no host is active for recorder orders");
  }

  private void refused(String to, String... parts) {
    ends(to, Forecast.REFUSED, parts);
  }

  private void ends(String to, Forecast forecast, String... parts) {
    assertThat(to(to).forecast()).isEqualTo(forecast);
    assertThat(to(to).why()).contains(parts);
  }

  private SwitchoverPlan to(String machine) {
    RecorderStatus recorder =
        new RecorderStatus("orders", LOCK, "log", holder, 3, 1, 5, null, null);
    return SwitchoverPlan.of(recorder, machine, List.of(a, b));
  }

  private static MachineStatus machine(String name, boolean alive, List<Integer> able) {
    Instant beat = Instant.parse("2026-01-02T03:04:05Z");
    return new MachineStatus(name, alive, beat, 1, 0, List.of(), able, List.of(), "1", "hash");
  }
}
