package dev.recorder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogMetricsTest {
  private final LogMetrics log = new LogMetrics(List.of("died", "start"));
  private boolean mayWrite = true;

  @Test
  void itIsUnableUntilItWasFoundToBeAble() {
    assertThat(log.role()).isEqualTo(Role.UNABLE);

    log.able(null);
    assertThat(log.role()).isEqualTo(Role.STANDBY);

    log.able("the bucket is not there");
    assertThat(log.role()).isEqualTo(Role.UNABLE);
  }

  @Test
  void aDrainedHostIsUnableButForWhatItKeeps() {
    log.able(null);
    log.drained(true);
    assertThat(log.role()).isEqualTo(Role.UNABLE);

    log.writes(() -> mayWrite, () -> 5);
    assertThat(log.role()).isEqualTo(Role.ACTIVE);
    log.ended();
    log.drained(false);
    assertThat(log.role()).isEqualTo(Role.STANDBY);
  }

  @Test
  void itHasTheTermWithoutALeaseAndIsNotActiveThen() {
    log.able(null);
    log.writes(() -> mayWrite, () -> 5);
    assertThat(log.isActive()).isTrue();
    assertThat(log.progressAt()).isEqualTo(5);

    mayWrite = false;
    assertThat(log.isActive()).isFalse();
    assertThat(log.role()).isEqualTo(Role.ACTIVE);

    log.ended();
    assertThat(log.role()).isEqualTo(Role.STANDBY);
    assertThat(log.progressAt()).isNull();
  }

  @Test
  void takeoversAreKnownFromTheStartAndCounted() {
    assertThat(log.takeovers().read()).isEqualTo(Map.of("died", 0L, "start", 0L));

    log.tookOver("start", 1, null);
    assertThat(log.lastGap()).isNull();
    log.tookOver("died", 7, Duration.ofMillis(120));

    assertThat(log.takeovers().read()).isEqualTo(Map.of("died", 1L, "start", 1L));
    assertThat(log.lastGap()).isEqualTo(Duration.ofMillis(120));
    assertThat(log.epoch()).isEqualTo(7);
  }

  @Test
  void whatNobodyKnewOfIsABug() {
    assertThatThrownBy(() -> log.failed("moon")).hasMessageContaining("moon");
  }

  @Test
  void slotsAddUp() {
    log.settled(41, 10, 2_000, 500);
    log.settled(42, 5, 1_000, 300);
    log.adopted(43);

    assertThat(List.of(log.slots(), log.adopted(), log.rows(), log.bytes(), log.objectBytes()))
        .containsExactly(2L, 1L, 15L, 3_000L, 800L);
    assertThat(log.lastSlot()).isEqualTo(43);
  }
}
