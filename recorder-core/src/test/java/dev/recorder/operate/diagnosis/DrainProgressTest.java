package dev.recorder.operate.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DrainProgressTest {
  private static final List<RecorderStatus> BOTH =
      List.of(recorder("orders", 1, "a"), recorder("audit", 2, "a"));

  @Test
  void whatAnotherIsAbleToTakeIsOnItsWayAndTheRestIsKept() {
    assertThat(progress(BOTH, machine("b", true, List.of(1))))
        .isEqualTo(new DrainProgress(List.of("orders"), List.of("audit")));
  }

  @Test
  void whatTheMachineItselfCouldTakeHelpsNobody() {
    assertThat(progress(BOTH, machine("a", true, List.of(1, 2))).kept())
        .containsExactly("orders", "audit");
  }

  @Test
  void whoIsNotAliveTakesNothing() {
    DrainProgress progress = progress(BOTH, machine("b", false, List.of(1, 2)));

    assertThat(progress.isOver()).isTrue();
    assertThat(progress.isEmpty()).isFalse();
  }

  @Test
  void itIsDoneWhenOthersHaveAllOrNobodyHas() {
    DrainProgress progress =
        progress(
            List.of(recorder("orders", 1, "b"), recorder("jobs", 2, null)),
            machine("b", true, List.of(1)));

    assertThat(progress.isOver()).isTrue();
    assertThat(progress.isEmpty()).isTrue();
  }

  @Test
  void whatItHasLetGoOfIsOnItsWayUntilAnotherHasIt() {
    DrainProgress progress = progress(List.of(recorder("orders", 1, null)));

    assertThat(progress).isEqualTo(new DrainProgress(List.of("orders"), List.of()));
  }

  private static DrainProgress progress(List<RecorderStatus> recorders, MachineStatus... machines) {
    return DrainProgress.of("a", List.of("orders", "audit"), recorders, List.of(machines));
  }

  private static RecorderStatus recorder(String name, int lockId, @Nullable String holder) {
    return new RecorderStatus(name, lockId, "log", holder, 3, 1, 5, null, null);
  }

  private static MachineStatus machine(String name, boolean alive, List<Integer> able) {
    return new MachineStatus(
        name, alive, Instant.EPOCH, 0, 2, List.of(), able, List.of(), "1", "hash");
  }
}
