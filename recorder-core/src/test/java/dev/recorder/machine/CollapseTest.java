package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollapseTest {
  private final List<Object> told = new ArrayList<>();
  private final Collapse collapse = new Collapse(told::add);
  private final Error first = new NoClassDefFoundError("first");

  @Test
  void theFirstFailureCountsAndIsToldOnce() {
    collapse.failed(first);
    collapse.failed(new NoClassDefFoundError("second"));

    assertThat(collapse.isOver()).isTrue();
    assertThat(collapse.end()).isSameAs(first);
    assertThat(told).containsExactly(first);
  }

  @Test
  void theOwnerIsToldBeforeSessionsAreCutSinceItMayEndTheProcess() {
    collapse.watch(() -> told.add("cut"));

    collapse.failed(first);

    assertThat(told).containsExactly(first, "cut");
    assertThat(collapse.end()).isSameAs(first);
  }

  @Test
  void sessionsAreCutEvenIfTheOwnerFails() {
    Collapse unowned =
        new Collapse(
            cause -> {
              throw new IllegalStateException("the owner");
            });
    unowned.watch(() -> told.add("cut"));

    assertThatThrownBy(() -> unowned.failed(first)).isInstanceOf(IllegalStateException.class);

    assertThat(told).containsExactly("cut");
    assertThat(unowned.end()).isSameAs(first);
  }

  @Test
  void theMachineIsInterruptedAndItsThreadIsNotAfterwards() {
    collapse.watch(() -> {});
    collapse.failed(first);
    boolean during = Thread.currentThread().isInterrupted();
    assertThat(collapse.end()).isSameAs(first);

    assertThat(during).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whatOtherThreadsMakeOfTheCloseDoesNotMatter() throws Exception {
    collapse.watch(() -> {});
    collapse.closing();
    Thread other = new Thread(() -> collapse.failed(first));
    other.start();
    other.join();

    assertThat(collapse.end()).isNull();
    assertThat(told).isEmpty();
  }

  @Test
  void aFailureOfTheMachinesOwnThreadMattersDuringTheClose() {
    collapse.watch(() -> {});
    collapse.closing();
    collapse.failed(first);

    assertThat(collapse.end()).isSameAs(first);
  }
}
