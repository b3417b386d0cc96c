package dev.recorder.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

  @ParameterizedTest
  @CsvSource({
    "1, 500",
    "2, 1000",
    "3, 2000",
    "4, 4000",
    "5, 8000",
    "6, 16000",
    "7, 32000",
    "8, 60000",
    "9, 60000",
    "40, 60000",
    "64, 60000",
    "65, 60000",
    "2147483647, 60000"
  })
  void doublesWithEachAttemptUpToAMinute(int attempts, long millis) {
    assertThat(Backoff.after(attempts)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void isNeverShorterThanBefore() {
    for (int attempts = 2; attempts < 100; attempts++) {
      assertThat(Backoff.after(attempts)).isGreaterThanOrEqualTo(Backoff.after(attempts - 1));
    }
  }
}
