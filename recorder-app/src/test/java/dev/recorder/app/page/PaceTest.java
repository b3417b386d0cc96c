package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.page.Pace.PaceStep;
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
    assertThat(pace.next(at(0))).isEqualTo(PaceStep.LOOK);
  }

  @Test
  void whileNobodyLooksOnItLooksSeldomAndNeverGlances() {
    pace.looked(at(0), 1);

    assertThat(pace.next(at(9_999))).isEqualTo(PaceStep.WAIT);
    assertThat(pace.next(at(10_000))).isEqualTo(PaceStep.LOOK);
  }

  @Test
  void whileSomebodyLooksOnItLooksOftenAndGlancesInBetween() {
    pace.looked(at(0), 1);
    pace.asked(at(100));

    assertThat(pace.next(at(399))).isEqualTo(PaceStep.WAIT);
    assertThat(pace.next(at(400))).isEqualTo(PaceStep.GLANCE);
    pace.glanced(at(400));
    assertThat(pace.next(at(799))).isEqualTo(PaceStep.WAIT);
    assertThat(pace.next(at(2_000))).isEqualTo(PaceStep.LOOK);
  }

  @Test
  void whoeverHasGoneIsForgotten() {
    pace.asked(at(0));
    pace.looked(at(9_000), 1);

    assertThat(pace.next(at(9_999))).isEqualTo(PaceStep.GLANCE);
    assertThat(pace.next(at(10_000))).isEqualTo(PaceStep.WAIT);
    assertThat(pace.next(at(19_000))).isEqualTo(PaceStep.LOOK);
  }
}
