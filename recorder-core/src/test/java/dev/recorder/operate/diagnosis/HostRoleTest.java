package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.NOW;
import static dev.recorder.operate.diagnosis.Seen.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.HostRole.Actual;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostRoleTest {

  @Test
  void ofRequestsEachHostWorksThatDoesNotStateOtherwise() {
    Seen seen =
        Seen.of(
                host("a"),
                host("b").states(About.REFUSED, "other prefix"),
                host("c").states(About.UNABLE, "HTTP 403"),
                host("d").gone().states(About.UNABLE, "then"))
            .asRequests();

    assertThat(actuals(seen))
        .containsExactly(Actual.WORKS, Actual.REFUSED, Actual.NOT_ABLE, Actual.GONE);
    assertThat(HostRole.all(seen.facts()).get(2).since()).isEqualTo(NOW.minusSeconds(20));
  }

  @Test
  void aPauseHidesNotThatAHostCouldNotProcessRequests() {
    Seen seen =
        Seen.of(host("a"), host("b").states(About.UNABLE, "HTTP 403"))
            .asRequests()
            .paused("bucket moves");

    assertThat(actuals(seen)).containsExactly(Actual.PAUSED, Actual.NOT_ABLE);
  }

  @Test
  void whoStandsByOrWorksHasDoneSoSinceItSaysThatItIsReady() {
    Seen logs = Seen.of(host("a"), host("b").states(About.READY, ""), host("c"));
    assertThat(sinces(logs)).containsExactly(NOW.minusSeconds(7200), NOW.minusSeconds(20), null);

    Seen requests = Seen.of(host("a").states(About.READY, "")).asRequests();
    assertThat(sinces(requests)).containsExactly(NOW.minusSeconds(20));
  }

  @Test
  void whoWaitsForTheKeyOfAnElectionStandsBy() {
    Seen seen = Seen.of(host("a"), host("b").unable().states(About.READY, ""), host("c").unable());

    assertThat(actuals(seen)).containsExactly(Actual.ACTIVE, Actual.STANDBY, Actual.NOT_ABLE);
  }

  @Test
  void whatIsPausedIsPausedSinceItWasOrSinceItsHostHasHadIt() {
    assertThat(sinces(Seen.of(host("a")).paused("bucket moves")))
        .containsExactly(NOW.minusSeconds(300));

    Seen late = Seen.of(host("a").states(About.READY, "")).asRequests().paused("bucket moves");
    assertThat(sinces(late)).containsExactly(NOW.minusSeconds(20));
  }

  @Test
  void whatNobodyHasEverRunIsShownOfThoseWhoCannotRunIt() {
    Seen seen =
        Seen.of(
            host("a"),
            host("b").states("others", About.REFUSED, "its lockid", Duration.ofSeconds(20)));

    HostRole others = HostRole.all(seen.facts()).get(2);

    assertThat(others.recorder().name()).isEqualTo("others");
    assertThat(others.host().name()).isEqualTo("b");
    assertThat(others.wanted()).isNull();
    assertThat(others.actual()).isEqualTo(Actual.REFUSED);
    assertThat(others.since()).isEqualTo(NOW.minusSeconds(20));
  }

  private static List<Instant> sinces(Seen seen) {
    return HostRole.all(seen.facts()).stream().map(HostRole::since).toList();
  }

  private static List<Actual> actuals(Seen seen) {
    return HostRole.all(seen.facts()).stream().map(HostRole::actual).toList();
  }
}
