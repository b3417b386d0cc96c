package dev.recorder.machine.poll;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollPaceTest {
  private static final Duration USUAL = Duration.ofMillis(50);
  private static final Duration CALM = Duration.ofMillis(75);

  private long now = Long.MAX_VALUE - 1_000_000_000L; // soon to overflow
  private final PollPace pace = new PollPace(now);

  @Test
  void itSlowsDownWhenThereHasBeenNoNewsForTenSecondsAndNoSooner() {
    pass(9_999);
    assertThat(pace.at(now, true)).isEqualTo(USUAL);
    pass(1);
    assertThat(pace.at(now, true)).isEqualTo(CALM);
  }

  @Test
  void newsBringItBackAtOnce() {
    pass(60_000);
    pace.news(now);
    assertThat(pace.at(now, true)).isEqualTo(USUAL);
    pass(10_000);
    assertThat(pace.at(now, true)).isEqualTo(CALM);
  }

  @Test
  void logsThatHaveToWaitForTheirTurnAreNotMadeToWaitLonger() {
    pass(60_000);
    assertThat(pace.at(now, false)).isEqualTo(USUAL);
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
