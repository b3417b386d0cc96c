package dev.recorder.metrics;

import static dev.recorder.metrics.Readiness.ReadinessState.CHECKING;
import static dev.recorder.metrics.Readiness.ReadinessState.READY;
import static dev.recorder.metrics.Readiness.ReadinessState.REFUSED;
import static dev.recorder.metrics.Readiness.ReadinessState.UNABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.metrics.Readiness.ReadinessState;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private static final Readiness NEW = Readiness.unchecked(1);

  @Test
  void untilItIsKnownWhetherItCanBeTakenItIsBeingChecked() {
    assertThat(NEW).isEqualTo(new Readiness(CHECKING, "testing database and store", 1));
  }

  @Test
  void aCheckFindsItReadyOrSaysWhyNot() {
    assertThat(ReadinessState.found("")).isEqualTo(READY);
    assertThat(NEW.next(READY, "", 2)).isEqualTo(new Readiness(READY, "", 2));
    assertThat(ReadinessState.found("HTTP 403")).isEqualTo(UNABLE);
  }

  @Test
  void itIsUnreadySinceTheFirstReasonAndReadySinceThatIsOver() {
    Readiness unable = NEW.next(UNABLE, "HTTP 403", 2).next(UNABLE, "HTTP 500", 3);
    assertThat(unable.next(CHECKING, "again", 4)).isEqualTo(new Readiness(CHECKING, "again", 1));

    Readiness ready = unable.next(READY, "", 5);
    assertThat(ready.next(READY, "", 6).since()).isEqualTo(5);
    assertThat(ready.next(CHECKING, "again", 7).since()).isEqualTo(7);
  }

  @Test
  void theSameFindingAgainIsNoNews() {
    Readiness unable = NEW.next(UNABLE, "HTTP 403", 2);

    assertThat(unable.next(UNABLE, "HTTP 403", 3)).isEqualTo(unable);
    assertThat(unable.next(UNABLE, "HTTP 500", 3)).isNotEqualTo(unable);
  }

  @Test
  void whatIsRefusedStaysSoWhateverACheckThatWasUnderWayFinds() {
    Readiness refused = NEW.next(REFUSED, "lockid 1 belongs to others", 2);

    assertThat(refused).isEqualTo(new Readiness(REFUSED, "lockid 1 belongs to others", 2));
    assertThat(refused.next(READY, "", 3)).isEqualTo(refused);
    assertThat(refused.next(UNABLE, "HTTP 403", 3)).isEqualTo(refused);
  }

  @Test
  void whatWasRefusedIsCheckedFromTheBeginning() {
    assertThat(NEW.next(REFUSED, "other prefix", 2).next(CHECKING, Readiness.CHECKING, 3))
        .isEqualTo(Readiness.unchecked(3));
  }
}
