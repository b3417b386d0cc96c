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
    assertThat(Timing.DEFAULT)
        .isEqualTo(
            new Timing(
                Duration.ofMillis(500),
                Duration.ofMillis(1500),
                Duration.ofSeconds(2),
                Duration.ofMillis(50),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10)));
  }

  @ParameterizedTest
  @CsvSource({"500,500,2000", "1600,1500,2000", "500,2000,2000", "500,2500,2000"})
  void theLawIsKept(long heartbeat, long lease, long takeoverAfter) {
    assertThatThrownBy(
            () ->
                new Timing(
                    Duration.ofMillis(heartbeat),
                    Duration.ofMillis(lease),
                    Duration.ofMillis(takeoverAfter),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timing law");
  }
}
