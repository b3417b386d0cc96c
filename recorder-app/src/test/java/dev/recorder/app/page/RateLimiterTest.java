package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private static final long SECOND = 1_000_000_000L;

  private final RateLimiter limiter = new RateLimiter();

  private long passed(int pushing, long now) {
    return IntStream.range(0, pushing).filter(i -> limiter.pass(now)).count();
  }

  @Test
  void ofManyAtATimeSomePass() {
    assertThat(passed(1_000, -7)).isEqualTo(RateLimiter.A_SECOND);
  }

  @Test
  void whatPassesInASecondIsBoundedHoweverLongItWasQuiet() {
    passed(1_000, 0);

    assertThat(passed(1_000, SECOND / 10)).isEqualTo(RateLimiter.A_SECOND / 10);
    assertThat(passed(1_000, 600 * SECOND)).isEqualTo(RateLimiter.A_SECOND);
  }
}
