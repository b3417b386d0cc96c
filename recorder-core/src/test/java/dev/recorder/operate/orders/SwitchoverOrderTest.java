package dev.recorder.operate.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.orders.OrderQueue.OrderState;
import dev.recorder.operate.orders.SwitchoverOrder.SwitchoverProgress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SwitchoverOrderTest {
  private static final SwitchoverOrder ORDER =
      new SwitchoverOrder("orders", "a", "b", 7, Duration.ofSeconds(10), "me");

  @Test
  void itIsNewUntilSomebodyTakesItWhoeverHasTheRecorder() {
    assertThat(progress(OrderState.NEW, 0, "a", 7)).isEqualTo(SwitchoverProgress.NEW);
    assertThat(progress(OrderState.NEW, 0, null, 7)).isEqualTo(SwitchoverProgress.NEW);
    assertThat(progress(OrderState.NEW, 0, "c", 8)).isEqualTo(SwitchoverProgress.NEW);
  }

  @Test
  void onceTakenItIsUnderWayUntilSomebodyHasTheRecorderAnew() {
    assertThat(progress(OrderState.TAKEN, 7, "a", 7)).isEqualTo(SwitchoverProgress.UNDER_WAY);
    assertThat(progress(OrderState.TAKEN, 7, null, 7)).isEqualTo(SwitchoverProgress.UNDER_WAY);
    assertThat(progress(OrderState.TAKEN, 8, "c", 8)).isEqualTo(SwitchoverProgress.UNDER_WAY);
  }

  @Test
  void itIsDoneWhenTheMachineItNamesHasTheRecorderHoweverThatCame() {
    assertThat(progress(OrderState.TAKEN, 7, "b", 8)).isEqualTo(SwitchoverProgress.DONE);
    assertThat(progress(OrderState.NEW, 0, "b", 8)).isEqualTo(SwitchoverProgress.DONE);
    assertThat(progress(OrderState.WITHDRAWN, 0, "b", 8)).isEqualTo(SwitchoverProgress.DONE);
  }

  @Test
  void itIsOverWhenItWasTakenAndAnotherMachineHasTheRecorder() {
    assertThat(progress(OrderState.TAKEN, 7, "c", 8)).isEqualTo(SwitchoverProgress.ELSEWHERE);
    assertThat(progress(OrderState.TAKEN, 7, "a", 8)).isEqualTo(SwitchoverProgress.ELSEWHERE);
  }

  @Test
  void whatIsWithdrawnStaysSo() {
    assertThat(progress(OrderState.WITHDRAWN, 0, "a", 7)).isEqualTo(SwitchoverProgress.WITHDRAWN);
  }

  @Test
  void itStandsForAnHourAtMost() {
    assertThatThrownBy(
            () -> new SwitchoverOrder("orders", "a", "b", 7, Duration.ofMinutes(61), "me"))
        .hasMessageContaining("must be 1 ms to 1 h");
  }

  private static SwitchoverProgress progress(
      OrderState state, long takenIn, @Nullable String holder, long epoch) {
    return ORDER.progress(new SwitchoverStanding(state, takenIn, holder, epoch));
  }
}
