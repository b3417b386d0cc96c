package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FatalShutdownTest {
  private final List<Object> told = new ArrayList<>();
  private final FatalShutdown fatalShutdown = new FatalShutdown(told::add);
  private final Error first = new NoClassDefFoundError("first");

  @Test
  void theFirstFailureCountsAndIsToldOnce() {
    fatalShutdown.failed(first);
    fatalShutdown.failed(new NoClassDefFoundError("second"));

    assertThat(fatalShutdown.isOver()).isTrue();
    assertThat(fatalShutdown.end()).isSameAs(first);
    assertThat(told).containsExactly(first);
  }

  @Test
  void theOwnerIsToldBeforeSessionsAreCutSinceItMayEndTheProcess() {
    fatalShutdown.watch(() -> told.add("cut"));

    fatalShutdown.failed(first);

    assertThat(told).containsExactly(first, "cut");
    assertThat(fatalShutdown.end()).isSameAs(first);
  }

  @Test
  void sessionsAreCutEvenIfTheOwnerFails() {
    FatalShutdown unowned =
        new FatalShutdown(
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
    fatalShutdown.watch(() -> {});
    fatalShutdown.failed(first);
    boolean during = Thread.currentThread().isInterrupted();
    assertThat(fatalShutdown.end()).isSameAs(first);

    assertThat(during).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whatOtherThreadsMakeOfTheCloseDoesNotMatter() throws Exception {
    fatalShutdown.watch(() -> {});
    fatalShutdown.closing();
    Thread other = new Thread(() -> fatalShutdown.failed(first));
    other.start();
    other.join();

    assertThat(fatalShutdown.end()).isNull();
    assertThat(told).isEmpty();
  }

  @Test
  void aFailureOfTheMachinesOwnThreadMattersDuringTheClose() {
    fatalShutdown.watch(() -> {});
    fatalShutdown.closing();
    fatalShutdown.failed(first);

    assertThat(fatalShutdown.end()).isSameAs(first);
  }
}
