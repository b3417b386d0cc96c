package dev.recorder.postgres.socket;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdleWatchTest {
  /** Whom a tick tells, such as a listener, may leave one; nobody ends the watch so. */
  @Test
  void anInterruptThatATickLeavesDoesNotEndIt() {
    AtomicInteger ticks = new AtomicInteger();
    Runnable tick =
        () -> {
          ticks.incrementAndGet();
          Thread.currentThread().interrupt();
        };
    try (IdleWatch watch = new IdleWatch(() -> {}, tick)) {
      watch.start();

      await().until(() -> ticks.get() > 3);
    }
  }

  /** As with a connection of somebody's pool. A busy machine makes it longer, never shorter. */
  @Test
  void oneThatHasNothingToReadRestsLongerThanBetweenTwoOperations() {
    List<Long> ticks = new CopyOnWriteArrayList<>();
    try (IdleWatch watch = new IdleWatch(() -> {}, () -> ticks.add(System.nanoTime()))) {
      watch.start();

      await().until(() -> ticks.size() > 10);
    }
    assertThat(Duration.ofNanos(ticks.get(10) - ticks.get(0)))
        .isGreaterThan(Duration.ofMillis(900));
  }
}
