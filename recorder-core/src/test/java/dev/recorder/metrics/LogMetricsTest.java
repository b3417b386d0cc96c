package dev.recorder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.metrics.Readiness.ReadinessState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogMetricsTest {
  private final LogMetrics log = new LogMetrics(List.of("died", "start"));
  private Readiness readiness = Readiness.unchecked(0);
  private boolean mayWrite = true;

  @BeforeEach
  void readsTheReadinessOfItsRecorder() {
    log.readiness(() -> readiness);
  }

  @Test
  void itIsUnableUnlessItIsReadyOrHasTheTerm() {
    assertThat(log.role()).isEqualTo(Role.UNABLE);

    readiness = readiness.next(ReadinessState.READY, "", 1);
    assertThat(log.role()).isEqualTo(Role.STANDBY);

    readiness = readiness.next(ReadinessState.UNABLE, "the bucket is not there", 2);
    assertThat(log.role()).isEqualTo(Role.UNABLE);
    log.writes(() -> mayWrite, () -> 5);
    assertThat(log.role()).isEqualTo(Role.ACTIVE);
  }

  @Test
  void itHasTheTermWithoutALeaseAndIsNotActiveThen() {
    readiness = readiness.next(ReadinessState.READY, "", 1);
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
