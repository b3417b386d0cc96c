package dev.recorder.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UncaughtErrorHandlerTest {
  private static final Duration NEVER = Duration.ofHours(1);

  private final BlockingQueue<Integer> halts = new LinkedBlockingQueue<>();
  private final Error fatal = new NoClassDefFoundError("gone");

  @Test
  void saysWhyAndEndsTheProcess() {
    List<Throwable> said = new ArrayList<>();
    new UncaughtErrorHandler(said::add, halts::add, NEVER).failed(fatal);

    assertThat(said).containsExactly(fatal);
    assertThat(halts).containsExactly(70);
  }

  @Test
  void endsTheProcessAlsoIfItCannotSayWhy() {
    UncaughtErrorHandler lastResort =
        new UncaughtErrorHandler(
            cause -> {
              throw new NoClassDefFoundError("the logger's");
            },
            halts::add,
            NEVER);

    assertThatThrownBy(() -> lastResort.failed(fatal)).isInstanceOf(NoClassDefFoundError.class);

    assertThat(halts).containsExactly(70);
  }

  @Test
  void endsTheProcessAlsoIfSayingWhyHangs() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    UncaughtErrorHandler lastResort =
        new UncaughtErrorHandler(
            cause -> {
              try {
                never.await();
              } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
              }
            },
            halts::add,
            Duration.ofMillis(1));
    Thread hanging = new Thread(() -> lastResort.failed(fatal));
    hanging.start();

    assertThat(halts.poll(60, TimeUnit.SECONDS)).isEqualTo(70);
    never.countDown();
    hanging.join();
  }

  @Test
  void saysOnlyWhatFailedFirst() {
    List<Throwable> said = new ArrayList<>();
    UncaughtErrorHandler lastResort = new UncaughtErrorHandler(said::add, halts::add, NEVER);

    lastResort.failed(fatal);
    lastResort.failed(new NoClassDefFoundError("another"));

    assertThat(said).containsExactly(fatal);
    assertThat(halts).containsExactly(70);
  }
}
