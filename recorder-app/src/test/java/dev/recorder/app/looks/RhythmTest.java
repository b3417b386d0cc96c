package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RhythmTest {
  private static final long START = -5_000_000_000L; // A ticker may begin anywhere.
  private static final long SHORT = Duration.ofMillis(1).toNanos();
  private static final long LONG = Duration.ofSeconds(1).toNanos();

  private final Rhythm rhythm = new Rhythm(Duration.ofSeconds(45));

  private static long at(long millis) {
    return START + Duration.ofMillis(millis).toNanos();
  }

  @Test
  void theFirstLookIsAtOnce() {
    assertThat(rhythm.isDue(at(0))).isTrue();
  }

  @Test
  void whileNobodyReadsItLooksSeldom() {
    rhythm.looked(at(0), SHORT);

    assertThat(rhythm.isRead(at(0))).isFalse();
    assertThat(rhythm.isDue(at(9_999))).isFalse();
    assertThat(rhythm.isDue(at(10_000))).isTrue();
  }

  @Test
  void whileSomebodyReadsItLooksOften() {
    rhythm.looked(at(0), SHORT);
    rhythm.asked(at(100));

    assertThat(rhythm.isDue(at(1_999))).isFalse();
    assertThat(rhythm.isDue(at(2_000))).isTrue();
  }

  @Test
  void whoeverHasGoneIsForgotten() {
    rhythm.asked(at(0));
    rhythm.looked(at(44_000), SHORT);

    assertThat(rhythm.isRead(at(44_999))).isTrue();
    assertThat(rhythm.isRead(at(45_000))).isFalse();
    assertThat(rhythm.isDue(at(46_000))).isFalse();
    assertThat(rhythm.isDue(at(54_000))).isTrue();
  }

  @Test
  void looksTakeNoMoreThanAHundredthOfTheTime() {
    rhythm.looked(at(0), LONG);
    rhythm.looked(at(60_000), LONG);
    rhythm.asked(at(159_000));

    assertThat(rhythm.isDue(at(159_999))).isFalse();
    assertThat(rhythm.isDue(at(160_000))).isTrue();
  }

  @Test
  void afterOneThatWasSlowForOnceItDoesNotRestForLong() {
    rhythm.asked(at(0));
    rhythm.looked(at(1_000), LONG);
    assertThat(rhythm.isDue(at(3_000))).as("the first of a process").isTrue();

    rhythm.looked(at(3_000), SHORT);
    rhythm.looked(at(5_000), LONG);
    assertThat(rhythm.isDue(at(7_000))).isTrue();

    rhythm.looked(at(7_000), LONG);
    assertThat(rhythm.isDue(at(9_000))).as("it goes on to be slow").isFalse();
  }
}
