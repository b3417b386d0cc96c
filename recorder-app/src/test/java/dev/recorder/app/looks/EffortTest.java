package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EffortTest {
  @Test
  void aLookTakesAsLongAsItLastsWhereTheServerHasMostOfItToDo() {
    assertThat(Effort.taken(410, 1_000, 1_065)).isEqualTo(410);
  }

  @Test
  void whatALookWaitsForIsNoEffort() {
    assertThat(Effort.taken(5_000, 1_000, 1_002)).isEqualTo(16);
  }

  @Test
  void withoutAProcessorsTimeALookTakesAsLongAsItLasts() {
    assertThat(Effort.taken(5_000, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(5_000);
  }

  @Test
  void whatAThreadHasTakenBeforeDoesNotCount() {
    Effort effort = Effort.begin(() -> 1_000);
    long anHourLater = 1_000 + Duration.ofHours(1).toNanos();

    assertThat(effort.lasted(anHourLater)).isEqualTo(Duration.ofHours(1).toNanos());
    assertThat(effort.nanos(anHourLater)).isBetween(0L, Duration.ofMinutes(1).toNanos());
  }
}
