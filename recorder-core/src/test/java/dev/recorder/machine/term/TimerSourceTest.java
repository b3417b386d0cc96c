package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a tick is handed to the data session. */
class TimerSourceTest {
  private final Queue<Runnable> session = new ArrayDeque<>();
  private @Nullable Runnable schedule;
  private boolean full;
  private int ticks;

  @BeforeEach
  @SuppressWarnings("resource") // has nothing to close
  void schedule() {
    ScheduledExecutorService timer =
        (ScheduledExecutorService)
            Proxy.newProxyInstance(
                TimerSourceTest.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                  schedule = (Runnable) arguments[0];
                  return null;
                });
    new TimerSource(Duration.ofSeconds(1), timer, () -> true, this::hand, () -> ticks++);
  }

  @Test
  void whileATickWaitsForTheSessionTheNextIsSkipped() {
    schedule.run();
    schedule.run();
    assertThat(session).hasSize(1);

    session.remove().run();
    schedule.run();
    assertThat(session).hasSize(1);
    assertThat(ticks).isEqualTo(1);
  }

  @Test
  void aSessionThatTakesNoMoreLosesOneTickAndNotTheOthers() {
    full = true;
    schedule.run();
    full = false;

    schedule.run();
    assertThat(session).hasSize(1);
  }

  private void hand(Runnable work) {
    if (full) {
      throw new RejectedExecutionException("full");
    }
    session.add(work);
  }
}
