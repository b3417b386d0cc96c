package dev.recorder.machine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConditionBoardTest {
  private long now = -7;
  private final ConditionBoard board = new ConditionBoard(() -> now);

  @Test
  void whatIsReadyIsSoSinceItWasFirstSaid() {
    Readiness ready = Readiness.unchecked(now - 1).next(ReadinessState.READY, "", now);
    now += Duration.ofSeconds(1).toNanos();
    board.state("orders", ready);
    now += Duration.ofSeconds(5).toNanos();
    board.state("orders", ready);

    assertThat(board.conditions())
        .containsExactly(new Condition("orders", About.READY, "", Duration.ofSeconds(5)));
    board.state("orders", null);
    assertThat(board.conditions()).isEmpty();
  }

  @Test
  void whyItIsNotReadyIsStatedInOneWayAtATimeSinceItIsSo() {
    Readiness refused = Readiness.unchecked(now).next(ReadinessState.REFUSED, "other prefix", now);
    now += Duration.ofSeconds(3).toNanos();
    board.state("orders", refused);
    assertThat(board.conditions())
        .containsExactly(
            new Condition("orders", About.REFUSED, "other prefix", Duration.ofSeconds(3)));

    board.state("orders", refused.next(ReadinessState.CHECKING, Readiness.CHECKING, now));
    assertThat(board.conditions())
        .containsExactly(
            new Condition("orders", About.UNABLE, "testing database and store", Duration.ZERO));
  }

  @Test
  void whatBeganBeforeItWasStatedIsSoSinceThenAndKeepsThat() {
    board.state("orders", About.HELD_UP, "S3: 500", Duration.ofSeconds(4));
    now += Duration.ofSeconds(1).toNanos();
    board.state("orders", About.HELD_UP, "S3: 503", Duration.ofSeconds(2));

    assertThat(board.conditions())
        .containsExactly(new Condition("orders", About.HELD_UP, "S3: 503", Duration.ofSeconds(5)));
  }

  @Test
  void whereThereAreTooManyWhatIsNotAsItShouldBeComesFirst() {
    for (int i = 0; i < Condition.MOST; i++) {
      board.state("a" + i, Readiness.unchecked(now).next(ReadinessState.READY, "", now));
    }
    board.state("z", Readiness.unchecked(now).next(ReadinessState.UNABLE, "HTTP 403", now));

    assertThat(board.conditions()).hasSize(Condition.MOST);
    assertThat(board.conditions().get(0).recorder()).isEqualTo("z");
  }

  @Test
  void ofWhatIsForgottenNothingIsStated() {
    board.state("orders", Readiness.unchecked(now).next(ReadinessState.READY, "", now));
    board.forget("orders");

    assertThat(board.conditions()).isEmpty();
  }
}
