package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.TablePass;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether workers may claim something. */
class ClaimGateTest {
  private final ClaimGate claimControl = new ClaimGate(() -> 0);

  @BeforeEach
  void aMachineThatWorks() {
    claimControl.able();
    claimControl.registered(true);
  }

  @Test
  void whoIsAtWorkClaimsNothingMoreWhenTheRecorderIsPausedAndGoesOnAfterwards() {
    assertThat(claimControl.mayClaim()).isTrue();
    claimControl.paused(true);
    assertThat(claimControl.mayClaim()).isFalse();
    assertThat(claimControl.ended(TablePass.End.SOMETHING_SETTLED, true)).isFalse();

    claimControl.paused(false);
    assertThat(claimControl.ended(TablePass.End.SOMETHING_SETTLED, true)).isTrue();
  }

  @Test
  void onlyAWorkerThatIsToEndKeepsItsInterrupt() {
    Thread.currentThread().interrupt();
    claimControl.dropInterruptUnlessStopping();
    assertThat(Thread.interrupted()).isFalse();

    claimControl.stop();
    claimControl.dropInterruptUnlessStopping();
    assertThat(Thread.interrupted()).isFalse();
    Thread.currentThread().interrupt();
    claimControl.dropInterruptUnlessStopping();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void withoutHeartbeatsTheEndOfAPauseIsNoLeaveToClaim() {
    claimControl.paused(true);
    claimControl.registered(false);
    claimControl.paused(false);

    assertThat(claimControl.mayClaim()).isFalse();
  }
}
