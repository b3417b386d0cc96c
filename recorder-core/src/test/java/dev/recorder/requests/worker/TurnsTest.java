package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.Pass;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether workers may claim something. */
class TurnsTest {
  private final Turns turns = new Turns(() -> 0);

  @BeforeEach
  void aMachineThatWorks() {
    turns.able();
    turns.registered(true);
  }

  @Test
  void whoIsAtWorkClaimsNothingMoreWhenTheRecorderIsPausedAndGoesOnAfterwards() {
    assertThat(turns.mayClaim()).isTrue();
    turns.paused(true);
    assertThat(turns.mayClaim()).isFalse();
    assertThat(turns.ended(Pass.End.SOMETHING_SETTLED, true)).isFalse();

    turns.paused(false);
    assertThat(turns.ended(Pass.End.SOMETHING_SETTLED, true)).isTrue();
  }

  @Test
  void onlyAWorkerThatIsToEndKeepsItsInterrupt() {
    Thread.currentThread().interrupt();
    turns.dropInterruptUnlessStopping();
    assertThat(Thread.interrupted()).isFalse();

    turns.stop();
    turns.dropInterruptUnlessStopping();
    assertThat(Thread.interrupted()).isFalse();
    Thread.currentThread().interrupt();
    turns.dropInterruptUnlessStopping();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void withoutHeartbeatsTheEndOfAPauseIsNoLeaveToClaim() {
    turns.paused(true);
    turns.registered(false);
    turns.paused(false);

    assertThat(turns.mayClaim()).isFalse();
  }
}
