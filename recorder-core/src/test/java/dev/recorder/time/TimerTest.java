package dev.recorder.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerTest {
  private final BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
  private final Timer timer = new Timer("test-timer", told::add);
  private final Error fatal = new NoClassDefFoundError("gone");

  @AfterEach
  void close() {
    timer.shutdownNow();
  }

  private void fail() {
    throw fatal;
  }

  @Test
  void tellsOfATaskThatFails() throws Exception {
    timer.execute(this::fail);
    assertThat(told.poll(30, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void tellsOfATaskThatFailsWhenItIsDue() throws Exception {
    Future<?> unused = timer.schedule(this::fail, 1, TimeUnit.NANOSECONDS);
    assertThat(told.poll(30, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void tellsOfATaskThatIsNotRepeatedAnyMore() throws Exception {
    Future<?> unused = timer.scheduleAtFixedRate(this::fail, 1, 1, TimeUnit.NANOSECONDS);
    assertThat(told.poll(30, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void saysNothingOfTasksThatSucceedOrAreCancelled() throws Exception {
    Future<?> never = timer.schedule(this::fail, 1, TimeUnit.HOURS);
    never.cancel(true);
    timer.submit(() -> {}).get();
    timer.submit(() -> {}).get(); // The one before has been told of, if at all.
    assertThat(told).isEmpty();
  }

  @Test
  void namedThreadsTellOfWorkThatFails() throws Exception {
    new NamedThreadFactory("test", told::add).newThread(this::fail).start();
    assertThat(told.poll(30, TimeUnit.SECONDS)).isSameAs(fatal);
  }
}
