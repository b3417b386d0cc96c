package dev.recorder.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class ByteQueueTest {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(new NamedThreadFactory("relay"));
  private static final byte[] FULL = new byte[ByteQueue.STAGE];

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  static Stream<ByteQueue.Threads> threads() {
    return Stream.of(
        ByteQueue.Threads.NONE,
        ByteQueue.Threads.of(THREADS),
        ByteQueue.Threads.of(
            task -> {
              throw new RejectedExecutionException("shut down");
            }));
  }

  @ParameterizedTest
  @MethodSource("threads")
  void whateverThreadItIsTheSinkTakesWhatWasAppended(ByteQueue.Threads threads) throws Exception {
    Random random = new Random(1);
    ByteArrayOutputStream appended = new ByteArrayOutputStream();
    try (ByteQueue relay = threads.to(taken::write)) {
      for (int i = 0; i < 3_000; i++) {
        byte[] line = new byte[1 + random.nextInt(i % 500 == 0 ? 4 * ByteQueue.STAGE : 500)];
        random.nextBytes(line);
        appended.write(line);
        relay.append(line, 0, line.length);
      }

      relay.flush();

      assertThat(taken.toByteArray()).isEqualTo(appended.toByteArray());
    }
  }

  @Test
  void whatFitsIntoOneStageStaysOnItsThread() {
    Queue<Runnable> handed = new ArrayDeque<>();
    try (ByteQueue relay = ByteQueue.Threads.of(handed::add).to(taken::write)) {
      append(relay, 1);

      relay.flush();

      assertThat(taken.size()).isEqualTo(ByteQueue.STAGE);
      assertThat(handed).isEmpty();
    }
  }

  @Test
  void whatTheSinkHasNotTakenIsOnItsWay() {
    Queue<Runnable> handed = new ArrayDeque<>();
    try (ByteQueue relay = ByteQueue.Threads.of(handed::add).to(taken::write)) {
      append(relay, 4);
      assertThat(relay.onTheirWay()).isEqualTo(3 * ByteQueue.STAGE);

      handed.remove().run();

      assertThat(relay.onTheirWay()).isZero();
      assertThat(taken.size()).isEqualTo(3 * ByteQueue.STAGE);
    }
  }

  @Test
  void whoAppendsWaitsWhenTooMuchIsOnItsWay() throws Exception {
    Queue<Runnable> handed = new ConcurrentLinkedQueue<>();
    try (ByteQueue relay = ByteQueue.Threads.of(handed::add).to(taken::write)) {
      Thread appending = new Thread(() -> append(relay, ByteQueue.MOST_WAITING + 2));
      appending.start();
      while (appending.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(relay.onTheirWay()).isEqualTo((long) ByteQueue.MOST_WAITING * ByteQueue.STAGE);

      handed.remove().run();

      appending.join();
      handed.forEach(Runnable::run); // The last stage may have come behind the first task's end.
    }
  }

  @Test
  void anInterruptIsKeptAndHurtsNothing() {
    try (ByteQueue relay = ByteQueue.Threads.of(THREADS).to(taken::write)) {
      Thread.currentThread().interrupt();
      append(relay, 100);
      relay.flush();

      assertThat(taken.size()).isEqualTo(100 * ByteQueue.STAGE);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void whoAppendsMeetsWhatTheSinkFailsWith() {
    ByteQueue.ByteSink full =
        (source, from, count) -> {
          throw new OutOfMemoryError("no room");
        };
    try (ByteQueue relay = ByteQueue.Threads.of(THREADS).to(full)) {
      assertThatThrownBy(() -> append(relay, 100))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage("no room");
      assertThatThrownBy(relay::flush).isInstanceOf(OutOfMemoryError.class);
    }
  }

  @Test
  void withoutAThreadNobodyWaitsForOne() {
    ByteQueue.Threads none =
        ByteQueue.Threads.of(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    try (ByteQueue relay = none.to(taken::write)) {
      assertThatThrownBy(() -> append(relay, 2)).isInstanceOf(OutOfMemoryError.class);
    }
  }

  private static void append(ByteQueue relay, int stages) {
    for (int i = 0; i < stages; i++) {
      relay.append(FULL, 0, FULL.length);
    }
  }
}
