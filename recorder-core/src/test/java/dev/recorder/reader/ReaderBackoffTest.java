package dev.recorder.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReaderBackoffTest {
  private final ReaderBackoff retries =
      new ReaderBackoff(Duration.ofSeconds(1), Duration.ofMinutes(10));

  @Test
  void waitsTwiceAsLongEachTimeUpToHalfAMinute() {
    assertThat(
            new long[] {
              waitAt(0), waitAt(1), waitAt(3), waitAt(7), waitAt(15), waitAt(31), waitAt(61)
            })
        .containsExactly(1, 2, 4, 8, 16, 30, 30);
  }

  @Test
  void givesUpWhenItsPatienceIsAtAnEnd() {
    waitAt(5);

    assertThat(waitAt(604)).isPositive();
    assertThat(retries.failed(at(605))).isEmpty();
  }

  @Test
  void isAsPatientAgainAfterItGaveUp() {
    waitAt(5);
    assertThat(retries.failed(at(605))).isEmpty();

    assertThat(retries.hasFailed()).isFalse();
    assertThat(waitAt(606)).isEqualTo(1);
    assertThat(waitAt(1205)).isEqualTo(2);
    assertThat(retries.failed(at(1206))).isEmpty();
  }

  @Test
  void beginsAnewAfterASuccess() {
    waitAt(0);
    waitAt(300);
    assertThat(retries.hasFailed()).isTrue();

    retries.succeeded();

    assertThat(retries.hasFailed()).isFalse();
    assertThat(waitAt(900)).isEqualTo(1);
    assertThat(waitAt(1499)).isEqualTo(2);
  }

  private long waitAt(long second) {
    return retries.failed(at(second)).orElseThrow().toSeconds();
  }

  private static long at(long second) {
    return Duration.ofSeconds(second).toNanos();
  }
}
