package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriterPolicyTest {
  private final WriterPolicy policy = WriterPolicy.withLinger(Duration.ofSeconds(5));

  @Test
  void doublesItsWaitsUpToALimit() {
    assertThat(millis(0)).isEqualTo(50);
    assertThat(millis(1)).isEqualTo(100);
    assertThat(millis(5)).isEqualTo(1_600);
    assertThat(millis(6)).isEqualTo(2_000);
    assertThat(millis(Integer.MAX_VALUE)).isEqualTo(2_000);
  }

  @Test
  void looksForRowsAtLeastAsOftenAsTheyMayLinger() {
    assertThat(policy.poll()).isEqualTo(Duration.ofSeconds(1));
    assertThat(WriterPolicy.withLinger(Duration.ofMillis(200)).poll())
        .isEqualTo(Duration.ofMillis(200));
  }

  private long millis(int attempt) {
    return Duration.ofNanos(policy.retryNanos(attempt)).toMillis();
  }
}
