package dev.recorder.app.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StallsTest {
  @Test
  void whereThereIsMoreToDoThanProcessorsSleepersComeLate() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    List<Thread> busy = new ArrayList<>();
    try (Stalls stalls = Stalls.start()) {
      for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
        Thread thread = new Thread(() -> spinUntil(enough));
        thread.start();
        busy.add(thread);
      }
      Patience.await().until(() -> stalls.nanos() > 20_000_000);
    } finally {
      enough.set(true);
      for (Thread thread : busy) {
        thread.join();
      }
    }
    assertThat(busy).noneMatch(Thread::isAlive);
  }

  private static void spinUntil(AtomicBoolean enough) {
    while (!enough.get()) {
      Thread.onSpinWait();
    }
  }
}
