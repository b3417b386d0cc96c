package dev.recorder.operate;

import static dev.recorder.operate.Seen.NOW;
import static dev.recorder.operate.Seen.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.Standing.Actual;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandingTest {

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
    assertThat(Standing.all(seen.facts()).get(2).since()).isEqualTo(NOW.minusSeconds(20));
  }

  @Test
  void aPauseHidesNotThatAHostCouldNotProcessRequests() {
    Seen seen =
        Seen.of(host("a"), host("b").states(About.UNABLE, "HTTP 403"))
            .asRequests()
            .paused("bucket moves");

    assertThat(actuals(seen)).containsExactly(Actual.PAUSED, Actual.NOT_ABLE);
  }

  private static List<Actual> actuals(Seen seen) {
    return Standing.all(seen.facts()).stream().map(Standing::actual).toList();
  }
}
