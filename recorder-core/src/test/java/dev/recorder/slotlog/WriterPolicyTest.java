package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriterPolicyTest {
  private final WriterPolicy policy = WriterPolicy.withLinger(LingerRule.AUTO);

  @Test
  void doublesItsWaitsUpToALimit() {
    assertThat(millis(0)).isEqualTo(50);
    assertThat(millis(1)).isEqualTo(100);
    assertThat(millis(5)).isEqualTo(1_600);
    assertThat(millis(6)).isEqualTo(2_000);
    assertThat(millis(Integer.MAX_VALUE)).isEqualTo(2_000);
  }

  /** Each count reads all that waits: the reads of a row stay in proportion to the waits. */
  @Test
  void countsWaitingRowsAgainWhenTheyHaveWaitedTwiceAsLong() {
    assertThat(countAgain(Duration.ZERO)).isEqualTo(Duration.ofSeconds(1));
    assertThat(countAgain(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    assertThat(countAgain(Duration.ofSeconds(8))).isEqualTo(Duration.ofSeconds(8));
    assertThat(countAgain(Duration.ofHours(1))).isEqualTo(Duration.ofMinutes(1));
  }

  private Duration countAgain(Duration waited) {
    return Duration.ofNanos(policy.countAgainNanos(waited.toNanos()));
  }

  private long millis(int attempt) {
    return Duration.ofNanos(policy.retryNanos(attempt)).toMillis();
  }
}
