package dev.recorder.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnstileTest {
  private static final long SECOND = 1_000_000_000L;

  private final Turnstile turnstile = new Turnstile();

  private long passed(int pushing, long now) {
    return IntStream.range(0, pushing).filter(i -> turnstile.pass(now)).count();
  }

  @Test
  void ofManyAtATimeSomePass() {
    assertThat(passed(1_000, -7)).isEqualTo(Turnstile.A_SECOND);
  }

  @Test
  void whatPassesInASecondIsBoundedHoweverLongItWasQuiet() {
    passed(1_000, 0);

    assertThat(passed(1_000, SECOND / 10)).isEqualTo(Turnstile.A_SECOND / 10);
    assertThat(passed(1_000, 600 * SECOND)).isEqualTo(Turnstile.A_SECOND);
  }
}
