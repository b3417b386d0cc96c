package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.looks.SampleSchedule.RhythmStep;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SampleScheduleTest {
  private static final long START = -5_000_000_000L; // A ticker may begin anywhere.
  private static final long SHORT = Duration.ofMillis(1).toNanos();
  private static final long LONG = Duration.ofSeconds(1).toNanos();

  private final SampleSchedule rhythm = new SampleSchedule();

  private static long at(long millis) {
    return START + Duration.ofMillis(millis).toNanos();
  }

  @Test
  void theFirstLookIsAtOnce() {
    assertThat(rhythm.next(at(0))).isEqualTo(RhythmStep.LOOK);
  }

  @Test
  void whileNobodyReadsItLooksSeldom() {
    rhythm.looked(at(0), SHORT);

    assertThat(rhythm.next(at(9_999))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(10_000))).isEqualTo(RhythmStep.LOOK);
  }

  @Test
  void whileSomebodyReadsItLooksOften() {
    rhythm.looked(at(0), SHORT);
    rhythm.scraped(at(100));

    assertThat(rhythm.next(at(1_999))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(2_000))).isEqualTo(RhythmStep.LOOK);
  }

  @Test
  void whoeverHasGoneIsForgotten() {
    rhythm.scraped(at(0));
    rhythm.looked(at(44_000), SHORT);

    assertThat(rhythm.next(at(46_000))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(54_000))).isEqualTo(RhythmStep.LOOK);
  }

  @Test
  void looksTakeNoMoreThanAHundredthOfTheTime() {
    rhythm.looked(at(0), LONG);
    rhythm.looked(at(60_000), LONG);
    rhythm.scraped(at(159_000));

    assertThat(rhythm.next(at(159_999))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(160_000))).isEqualTo(RhythmStep.LOOK);
  }

  @Test
  void afterOneThatWasSlowForOnceItDoesNotRestForLong() {
    rhythm.scraped(at(0));
    rhythm.looked(at(1_000), LONG);
    assertThat(rhythm.next(at(3_000))).as("the first of a process").isEqualTo(RhythmStep.LOOK);

    rhythm.looked(at(3_000), SHORT);
    rhythm.looked(at(5_000), LONG);
    assertThat(rhythm.next(at(7_000))).isEqualTo(RhythmStep.LOOK);

    rhythm.looked(at(7_000), LONG);
    assertThat(rhythm.next(at(9_000))).as("it goes on to be slow").isEqualTo(RhythmStep.WAIT);
  }

  @Test
  void whileSomebodyViewsThePageItLooksOftenAndGlancesInBetween() {
    rhythm.looked(at(0), 1);
    rhythm.viewed(at(100));

    assertThat(rhythm.next(at(399))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(400))).isEqualTo(RhythmStep.GLANCE);
    rhythm.glanced(at(400));
    assertThat(rhythm.next(at(799))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(2_000))).isEqualTo(RhythmStep.LOOK);
  }

  @Test
  void aViewerWhoHasGoneIsForgotten() {
    rhythm.viewed(at(0));
    rhythm.looked(at(9_000), 1);

    assertThat(rhythm.next(at(9_999))).isEqualTo(RhythmStep.GLANCE);
    assertThat(rhythm.next(at(10_000))).isEqualTo(RhythmStep.WAIT);
    assertThat(rhythm.next(at(19_000))).isEqualTo(RhythmStep.LOOK);
  }
}
