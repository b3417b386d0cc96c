package dev.recorder.machine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConditionBoardTest {
  private long now = -7;
  private final ConditionBoard board = new ConditionBoard(() -> now);

  @Test
  void whatIsReadyIsSoSinceItWasFirstSaid() {
    board.ready("orders", true);
    now += Duration.ofSeconds(5).toNanos();
    board.ready("orders", true);

    assertThat(board.conditions())
        .containsExactly(new Condition("orders", About.READY, "", Duration.ofSeconds(5)));
    board.ready("orders", false);
    assertThat(board.conditions()).isEmpty();
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
      board.ready("a" + i, true);
    }
    board.unable("z", "HTTP 403");

    assertThat(board.conditions()).hasSize(Condition.MOST);
    assertThat(board.conditions().get(0).recorder()).isEqualTo("z");
  }

  @Test
  void ofWhatIsForgottenNothingIsStated() {
    board.ready("orders", true);
    board.forget("orders");

    assertThat(board.conditions()).isEmpty();
  }
}
