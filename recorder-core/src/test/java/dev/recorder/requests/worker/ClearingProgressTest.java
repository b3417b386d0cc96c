package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.postgres.ListenSession.ClearedBatch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClearingProgressTest {
  private static final long BEGAN = -5;
  private static final long A_MINUTE = ClearingProgress.CLEAR_EVERY.toNanos();

  private final ClearingProgress walk = new ClearingProgress(BEGAN);

  @Test
  void beginsAfterAMinuteAndGoesOnToTheEndWithoutARest() {
    assertThat(walk.isDue(BEGAN + A_MINUTE - 1)).isFalse();
    assertThat(walk.isDue(BEGAN + A_MINUTE)).isTrue();
    walk.step(new ClearedBatch(2_000, 7), BEGAN + A_MINUTE, BEGAN + A_MINUTE + 1);
    assertThat(walk.upTo()).isEqualTo(2_000);
    assertThat(walk.isDue(BEGAN + A_MINUTE + 1)).isTrue();
    walk.step(new ClearedBatch(0, 5), BEGAN + A_MINUTE + 1, BEGAN + A_MINUTE + 2);
    assertThat(walk.removed()).isEqualTo(12);
  }

  @Test
  void restsAMinuteAfterAShortWalk() {
    walk.step(new ClearedBatch(0, 5), BEGAN, BEGAN + 10);
    assertThat(walk.isDue(BEGAN + 10 + A_MINUTE - 1)).isFalse();
    assertThat(walk.isDue(BEGAN + 10 + A_MINUTE)).isTrue();
  }

  @Test
  void restsTwentyTimesAsLongAsTheStatementsOfALongWalkTook() {
    long second = Duration.ofSeconds(1).toNanos();
    walk.step(new ClearedBatch(2_000, 0), BEGAN, BEGAN + 4 * second);
    // What passes between two steps is no work.
    walk.step(new ClearedBatch(0, 0), BEGAN + 100 * second, BEGAN + 102 * second);
    long ended = BEGAN + 102 * second;
    assertThat(walk.isDue(ended + 120 * second - 1)).isFalse();
    assertThat(walk.isDue(ended + 120 * second)).isTrue();

    walk.step(new ClearedBatch(0, 0), ended + 120 * second, ended + 121 * second);
    assertThat(walk.isDue(ended + 121 * second + A_MINUTE)).isTrue();
  }
}
