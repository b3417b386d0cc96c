package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.page.Pace.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long START = -5_000_000_000L; // A ticker may begin anywhere.

  private final Pace pace = new Pace();

  private static long at(long millis) {
    return START + Duration.ofMillis(millis).toNanos();
  }

  @Test
  void theFirstLookIsAtOnce() {
    assertThat(pace.next(at(0))).isEqualTo(Step.LOOK);
  }

  @Test
  void whileNobodyLooksOnItLooksSeldomAndNeverGlances() {
    pace.looked(at(0), 1);

    assertThat(pace.next(at(9_999))).isEqualTo(Step.WAIT);
    assertThat(pace.next(at(10_000))).isEqualTo(Step.LOOK);
  }

  @Test
  void whileSomebodyLooksOnItLooksOftenAndGlancesInBetween() {
    pace.looked(at(0), 1);
    pace.asked(at(100));

    assertThat(pace.next(at(399))).isEqualTo(Step.WAIT);
    assertThat(pace.next(at(400))).isEqualTo(Step.GLANCE);
    pace.glanced(at(400));
    assertThat(pace.next(at(799))).isEqualTo(Step.WAIT);
    assertThat(pace.next(at(2_000))).isEqualTo(Step.LOOK);
  }

  @Test
  void whoeverHasGoneIsForgotten() {
    pace.asked(at(0));
    pace.looked(at(9_000), 1);

    assertThat(pace.next(at(9_999))).isEqualTo(Step.GLANCE);
    assertThat(pace.next(at(10_000))).isEqualTo(Step.WAIT);
    assertThat(pace.next(at(19_000))).isEqualTo(Step.LOOK);
  }

  /** It loads classes and opens a session; whoever looks on must not see it for 20 s. */
  @Test
  void theFirstLookMayTakeLongAndTheSecondComesSoonAllTheSame() {
    pace.looked(at(0), Duration.ofMillis(420).toNanos());
    pace.asked(at(100));

    assertThat(pace.next(at(2_000))).isEqualTo(Step.LOOK);
  }

  @Test
  void oneSlowLookKeepsNobodyWaiting() {
    pace.looked(at(0), 1);
    pace.looked(at(2_000), Duration.ofSeconds(4).toNanos());
    pace.asked(at(2_100));

    assertThat(pace.next(at(4_000))).isEqualTo(Step.LOOK);
  }

  @Test
  void aLookTakesNoMoreThanAFiftiethOfTheTime() {
    pace.looked(at(50_000), Duration.ofSeconds(2).toNanos());
    pace.asked(at(60_000));
    pace.looked(at(60_000), Duration.ofSeconds(1).toNanos());
    pace.asked(at(109_000));

    assertThat(pace.next(at(109_999))).isEqualTo(Step.GLANCE);
    assertThat(pace.next(at(110_000))).isEqualTo(Step.LOOK);
  }
}
