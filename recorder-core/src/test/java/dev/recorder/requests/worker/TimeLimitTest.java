package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimeLimitTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration MOMENT = Duration.ofNanos(1);

  private final HandDrivenTimer timer = new HandDrivenTimer();
  private final PoisonPermits permits = new PoisonPermits();
  private PoisonPermits.Permit permit;
  private int ended;

  @BeforeEach
  void workOnWhatMayBePoison() throws InterruptedException {
    permit = permits.ask();
  }

  @AfterEach
  void leaveNoInterrupt() {
    boolean wasLeft = Thread.interrupted();
    assertThat(wasLeft).isFalse();
  }

  @Test
  void whoNeverComesBackIsInterruptedThenItsSessionEndsAndOthersGetThePermit() throws Exception {
    try (TimeLimit limit = begin(() -> ended++)) {
      timer.advance(LIMIT.minus(MOMENT));
      assertThat(limit.isOver()).isFalse();
      assertThat(Thread.interrupted()).isFalse();

      timer.advance(MOMENT);
      assertThat(limit.isOver()).isTrue();
      assertThat(Thread.interrupted()).isTrue();

      timer.advance(TimeLimit.GRACE.minus(MOMENT));
      assertThat(ended).isZero();
      assertThat(permit.had()).isTrue();

      timer.advance(MOMENT);
      assertThat(ended).isEqualTo(1);
      assertThat(permit.had()).isFalse();
      assertThat(permits.ask().had()).isTrue();
    }
  }

  @Test
  void othersGetThePermitAlsoIfTheSessionCannotBeEnded() throws Exception {
    try (TimeLimit limit =
        begin(
            () -> {
              throw new IllegalStateException("of the test");
            })) {
      timer.advance(LIMIT);
      timer.advance(TimeLimit.GRACE);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(limit.isOver()).isTrue();
      assertThat(permits.ask().had()).isTrue();
    }
  }

  @Test
  void whoIsDoneInTimeHasNothingToFearLater() {
    TimeLimit limit = begin(() -> ended++);
    timer.advance(LIMIT.minus(MOMENT));
    limit.close();
    timer.advance(LIMIT.plus(TimeLimit.GRACE));

    assertThat(limit.isOver()).isFalse();
    assertKeepsSessionAndPermit();
  }

  @Test
  void whoLeavesOffWhenInterruptedKeepsItsSessionAndItsPermitAndNoInterruptIsLeft() {
    TimeLimit limit = begin(() -> ended++);
    timer.advance(LIMIT);
    limit.close();
    timer.advance(TimeLimit.GRACE);

    assertThat(limit.isOver()).isTrue();
    assertKeepsSessionAndPermit();
  }

  private void assertKeepsSessionAndPermit() {
    assertThat(Thread.interrupted()).isFalse();
    assertThat(ended).isZero();
    assertThat(permit.had()).isTrue();
  }

  private TimeLimit begin(Runnable endSession) {
    return new TimeLimit(timer, LIMIT, endSession, permit);
  }
}
