package dev.recorder.postgres.socket;

import static dev.recorder.testing.Patience.await;

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
}
