package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.SwitchoverPlan.Forecast;
import org.junit.jupiter.api.Test;

class SwitchoverPlanTest {
  private final Seen.Host a = host("a");
  private final Seen.Host b = host("b");
  private final Seen seen = Seen.of(a, b);

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
    b.unable();

    refused("b", "host b is not able", "'recorder explain orders --host b' says why");
  }

  @Test
  void whoIsRefusedIsNotAbleWhateverItsLastHeartbeatSays() {
    b.states(About.REFUSED, "other prefix");

    refused("b", "host b is not able");
  }

  @Test
  void whoIsNotAliveIsRefused() {
    b.silentFor(5);

    ends(
        "b",
        Forecast.NOT_ALIVE,
        "host b is not alive, its last heartbeat was at 2026-11-23T11:59:55Z");
  }

  @Test
  void fromOneThatIsNotAliveNothingIsHandedOver() {
    a.silentFor(5);

    refused("b", "host a, which has recorder orders, is not alive");
    ends(
        "a",
        Forecast.NOT_ALIVE,
        "is still with a, which is not alive; a standby that is able takes it by itself");
  }

  @Test
  void whoIsNotAliveIsRefusedAsThatThoughNobodyHasIt() {
    seen.releasedAgo(1);
    b.silentFor(5);

    ends("b", Forecast.NOT_ALIVE, "host b is not alive");
  }

  @Test
  void whatNobodyHasIsNotHandedOver() {
    seen.releasedAgo(1);

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
    return SwitchoverPlan.of(seen.diagnosis(), seen.orders(), machine);
  }
}
