package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition.About;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainProgressTest {
  private static final List<String> ORDERS = List.of("orders");

  @Test
  void whatAnotherIsAbleToTakeIsOnItsWay() {
    assertThat(progress(Seen.of(host("a"), host("b"))))
        .isEqualTo(new DrainProgress(ORDERS, List.of()));
  }

  @Test
  void whatNoOtherIsAbleToTakeIsKept() {
    DrainProgress kept = new DrainProgress(List.of(), ORDERS);

    assertThat(progress(Seen.of(host("a"), host("b").unable()))).isEqualTo(kept);
    assertThat(progress(Seen.of(host("a"), host("b").silentFor(5)))).isEqualTo(kept);
    assertThat(progress(Seen.of(host("a"), host("b").states(About.REFUSED, "other prefix"))))
        .isEqualTo(kept);
    assertThat(kept.isOver()).isTrue();
    assertThat(kept.isEmpty()).isFalse();
  }

  @Test
  void whatTheMachineItselfCouldTakeHelpsNobody() {
    assertThat(progress(Seen.of(host("a").anew())).kept()).isEqualTo(ORDERS);
  }

  @Test
  void aKeyThatAnotherWouldNeedIsNotGivenUp() {
    Seen seen = Seen.of(host("a"), host("b").unable().states(About.READY, ""));

    assertThat(progress(seen).kept()).isEqualTo(ORDERS);
  }

  @Test
  void itIsDoneWhenAnotherHasIt() {
    DrainProgress progress = progress(Seen.of(host("a"), host("b")).heldBy("b"));

    assertThat(progress.isOver()).isTrue();
    assertThat(progress.isEmpty()).isTrue();
  }

  @Test
  void whatItHasLetGoOfIsOnItsWayUntilAnotherHasIt() {
    Seen seen = Seen.of(host("a")).releasedAgo(1);

    assertThat(progress(seen).moving()).isEqualTo(ORDERS);
    assertThat(DrainProgress.of(seen.diagnosis(), "a", List.of()).isEmpty()).isTrue();
  }

  private static DrainProgress progress(Seen seen) {
    return DrainProgress.of(seen.diagnosis(), "a", ORDERS);
  }
}
