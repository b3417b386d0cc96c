package dev.recorder.machine.chores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.holders.XminHolder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HoldbackTest {
  private static final Optional<XminHolder> DUMP = Optional.of(new XminHolder("a dump", "100"));

  private final AtomicLong now = new AtomicLong();
  private final Holdback holdback = new Holdback(now::get);

  @Test
  void tellsOnceOfAHoldThatLasts() {
    assertThat(after(Duration.ZERO, DUMP)).isEmpty();
    assertThat(after(Holdback.LONG.minusNanos(1), DUMP)).isEmpty();
    assertThat(after(Duration.ofNanos(1), DUMP)).isEqualTo(DUMP);
    assertThat(after(Holdback.LONG, DUMP)).isEmpty();
  }

  @Test
  void aHoldThatMovesOnIsNone() {
    for (int i = 0; i < 100; i++) {
      Optional<XminHolder> next = Optional.of(new XminHolder("a dump", "10" + i));
      assertThat(after(Duration.ofMinutes(1), next)).isEmpty();
    }
  }

  @Test
  void tellsOfTheNextHoldAgain() {
    after(Duration.ZERO, DUMP);
    assertThat(after(Holdback.LONG, DUMP)).isPresent();
    assertThat(after(Duration.ofMinutes(1), Optional.empty())).isEmpty();
    assertThat(after(Duration.ofMinutes(1), DUMP)).isEmpty();
    assertThat(after(Holdback.LONG, DUMP)).isPresent();
  }

  @Test
  void namesTheOneThatHoldsItNowWhenSeveralShareAHorizon() {
    Optional<XminHolder> other = Optional.of(new XminHolder("a report", "100"));
    after(Duration.ZERO, DUMP);
    assertThat(after(Holdback.LONG, other)).isEqualTo(other);
  }

  private Optional<XminHolder> after(Duration pause, Optional<XminHolder> look) {
    now.addAndGet(pause.toNanos());
    return holdback.look(look);
  }
}
