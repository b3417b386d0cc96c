package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceMeasurementTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final SilenceMeasurement silence = new SilenceMeasurement();

  @Test
  void aMachineThatWasNeverSeenIsNotSilent() {
    assertThat(silence.of("a", 10 * SECOND)).isZero();
  }

  @Test
  void countsFromTheFirstSightOfTheSameBeat() {
    silence.observe("a", 1, 0);
    silence.observe("a", 2, SECOND);
    silence.observe("a", 2, 2 * SECOND);
    silence.observe("a", 2, 3 * SECOND);

    assertThat(silence.of("a", 3 * SECOND)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void needsThreeReads() {
    silence.observe("a", 2, 0);
    silence.observe("a", 2, 3 * SECOND);
    assertThat(silence.of("a", 3 * SECOND)).isZero();

    silence.observe("a", 2, 4 * SECOND);
    assertThat(silence.of("a", 4 * SECOND)).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void endsWithTheNextBeat() {
    for (int read = 0; read < 5; read++) {
      silence.observe("a", 2, read * SECOND);
    }
    silence.observe("a", 3, 5 * SECOND);

    assertThat(silence.of("a", 5 * SECOND)).isZero();
  }

  @Test
  void aLateAnswerSaysNothingAboutTheTimeSinceItsQuestion() {
    for (int read = 0; read < 3; read++) {
      silence.observe("a", 2, read * SECOND);
    }
    // Asked at three seconds, answered at nine: this machine stood still, not the other.
    silence.observe("a", 2, 9 * SECOND);

    assertThat(silence.of("a", 3 * SECOND)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void isNeverNegative() {
    for (int read = 0; read < 3; read++) {
      silence.observe("a", 2, 9 * SECOND);
    }

    assertThat(silence.of("a", 3 * SECOND)).isZero();
  }

  @Test
  void isKeptForEachMachine() {
    for (int read = 0; read < 3; read++) {
      silence.observe("a", 2, read * SECOND);
      silence.observe("b", read, read * SECOND);
    }

    assertThat(silence.of("a", 2 * SECOND)).isEqualTo(Duration.ofSeconds(2));
    assertThat(silence.of("b", 2 * SECOND)).isZero();
  }

  @Test
  void countsAnewAfterItWasForgotten() {
    for (int read = 0; read < 3; read++) {
      silence.observe("a", 2, read * SECOND);
    }
    silence.forget();
    silence.observe("a", 2, 9 * SECOND);

    assertThat(silence.of("a", 9 * SECOND)).isZero();
  }
}
