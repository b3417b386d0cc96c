package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingTest {
  @Test
  void theDefaultsAreThoseOfTheContract() {
    Timing usual = Timing.DEFAULT;

    assertThat(usual.heartbeat()).isEqualTo(Duration.ofMillis(500));
    assertThat(usual.lease()).isEqualTo(Duration.ofMillis(1500));
    assertThat(usual.takeoverAfter()).isEqualTo(Duration.ofSeconds(2));
    assertThat(usual.watch()).isEqualTo(Duration.ofMillis(50));
    assertThat(usual.failbackAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(usual.stuckAfter()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void whatIsNotChangedStays() {
    Duration other = Duration.ofSeconds(3);
    Timing changed = Timing.DEFAULT.change().failbackAfter(other).build();

    assertThat(changed.failbackAfter()).isEqualTo(other);
    assertThat(changed.change().failbackAfter(Timing.DEFAULT.failbackAfter()).build())
        .isEqualTo(Timing.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({"500,500,2000", "1600,1500,2000", "500,2000,2000", "500,2500,2000"})
  void theLawIsKept(long heartbeat, long lease, long takeoverAfter) {
    Timing.Builder against =
        Timing.DEFAULT
            .change()
            .heartbeat(Duration.ofMillis(heartbeat))
            .lease(Duration.ofMillis(lease))
            .takeoverAfter(Duration.ofMillis(takeoverAfter));

    assertThatThrownBy(against::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timing law");
  }
}
