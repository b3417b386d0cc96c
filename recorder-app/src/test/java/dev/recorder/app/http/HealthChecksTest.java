package dev.recorder.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthChecksTest {
  private static final Readiness READY = new Readiness(ReadinessState.READY, "", 0);
  private long now;
  private boolean lease = true;
  private final MachineMetrics metrics = new MachineMetrics(() -> now, List.of("start"));
  private final HealthChecks health = new HealthChecks(metrics);

  @BeforeEach
  void aMachineThatStandsBy() {
    metrics.configured(List.of("orders"), List.of("jobs"));
    metrics.heartbeats(() -> lease ? 1 : -1, () -> now);
    metrics.registered(true);
    metrics.turned();
    metrics.log("orders").readiness(() -> READY);
    metrics.requests("jobs").readiness(() -> READY);
  }

  @Test
  void itIsAliveWhileTheControlLoopGoesRound() {
    metrics.registered(false);
    lease = false;
    pass(HealthChecks.TURN_WITHIN);
    assertThat(health.alive().status()).isEqualTo(200);

    pass(Duration.ofNanos(1));
    assertThat(health.alive().status()).isEqualTo(503);

    metrics.turned();
    assertThat(health.alive().status()).isEqualTo(200);
  }

  @Test
  void beforeTheFirstTurnSettingUpMayTakeLonger() {
    MachineMetrics starting = new MachineMetrics(() -> now, List.of());
    pass(HealthChecks.SET_UP_WITHIN);
    assertThat(new HealthChecks(starting).alive().status()).isEqualTo(200);

    pass(Duration.ofNanos(1));
    assertThat(new HealthChecks(starting).alive().status()).isEqualTo(503);

    starting.waits();
    assertThat(new HealthChecks(starting).alive().status()).isEqualTo(200);
  }

  @Test
  void aStandbyIsReadyAndNotActive() {
    assertThat(health.ready().status()).isEqualTo(200);
    assertThat(health.recorder("orders").status()).isEqualTo(503);
  }

  @Test
  void itIsNotReadyWithARecorderThatItCannotTake() {
    metrics.log("orders").readiness(() -> READY.next(ReadinessState.REFUSED, "other bucket", 1));
    assertThat(health.ready().status()).isEqualTo(503);
  }

  @Test
  void aRecorderThatNobodyCouldTakeKeepsNoHostFromBeingReady() {
    metrics
        .log("orders")
        .readiness(() -> READY.next(ReadinessState.UNABLE, "the bucket is gone", 1));
    metrics.elsewhere(name -> !name.equals("orders"));
    assertThat(health.ready().status()).isEqualTo(200);

    metrics
        .log("orders")
        .readiness(
            () -> READY.next(ReadinessState.CHECKING, "testing database and store again", 1));
    assertThat(health.ready().status()).isEqualTo(503);
  }

  @Test
  void itIsNotReadyBeforeARecorderWasChecked() {
    metrics.configured(List.of("orders", "late"), List.of("jobs"));
    assertThat(health.ready().status()).isEqualTo(503);

    metrics.elsewhere(name -> false);
    assertThat(health.ready().status()).isEqualTo(503);
  }

  @Test
  void itIsNotReadyWithRequestsThatItCannotProcess() {
    metrics.configured(List.of("orders"), List.of("jobs", "late"));
    assertThat(health.ready().status()).isEqualTo(503);
  }

  @Test
  void itIsNotReadyWithoutItsSessionOrItsLease() {
    metrics.sessionLost();
    assertThat(health.ready().status()).isEqualTo(503);

    metrics.registered(true);
    lease = false;
    assertThat(health.ready().status()).isEqualTo(503);
  }

  @Test
  void itIsActiveForALogFromTheTermsBeginningToItsEndWhileTheLeaseLasts() {
    metrics.log("orders").writes(() -> lease, () -> now);
    assertThat(health.recorder("orders").status()).isEqualTo(200);

    lease = false;
    assertThat(health.recorder("orders").status()).isEqualTo(503);

    lease = true;
    metrics.log("orders").ended();
    assertThat(health.recorder("orders").status()).isEqualTo(503);
  }

  @Test
  void itIsActiveForRequestsWhileItsHeartbeatsArrive() {
    assertThat(health.recorder("jobs").status()).isEqualTo(200);

    lease = false;
    assertThat(health.recorder("jobs").status()).isEqualTo(503);
  }

  @Test
  void oneThatIsPausedIsActiveWhereItIsHeldAndSaysSo() {
    metrics.log("orders").writes(() -> lease, () -> now);
    metrics.paused(Set.of("orders"));

    assertThat(health.recorder("orders").status()).isEqualTo(200);
    assertThat(said("orders")).isEqualTo("active, and paused");
    assertThat(said("jobs")).isEqualTo("active");
    assertThat(health.ready().status()).isEqualTo(200);
  }

  @Test
  void aRecorderThatIsNotConfiguredIsUnknown() {
    assertThat(health.recorder("nobody").status()).isEqualTo(404);

    metrics.configured(List.of(), List.of());
    assertThat(health.recorder("orders").status()).isEqualTo(404);
  }

  private String said(String recorder) {
    return new String(health.recorder(recorder).body(), StandardCharsets.UTF_8).strip();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
