package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.time.NamedThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
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
class PackerTest {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(new NamedThreads("packing"));

  @AfterAll
  static void end() {
    THREADS.shutdownNow();
  }

  static Stream<Executor> executors() {
    return Stream.of(
        Runnable::run,
        THREADS,
        task -> {
          throw new RejectedExecutionException("shut down");
        });
  }

  @ParameterizedTest
  @MethodSource("executors")
  void whateverThreadPacksTheContentIsWhatWasAppended(Executor threads) throws Exception {
    Random random = new Random(1);
    ByteArrayOutputStream appended = new ByteArrayOutputStream();
    try (Packer packer = new Packer(Compression.GZIP, threads)) {
      for (int i = 0; i < 3_000; i++) {
        byte[] line = new byte[1 + random.nextInt(i % 500 == 0 ? 4 * Packer.STAGE : 500)];
        random.nextBytes(line);
        appended.write(line);
        packer.append(line, 0, line.length);
      }

      byte[] packed = packer.end();

      byte[] whole = appended.toByteArray();
      assertThat(unpacked(packed)).isEqualTo(whole);
      assertThat(packer.sha256())
          .isEqualTo(
              HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(whole)));
    }
  }

  @Test
  void whatFitsIntoOneStageStaysOnItsThread() {
    Queue<Runnable> handed = new ArrayDeque<>();
    try (Packer packer = new Packer(Compression.NONE, handed::add)) {
      packer.append(new byte[Packer.STAGE], 0, Packer.STAGE);

      assertThat(packer.end()).hasSize(Packer.STAGE);
      assertThat(handed).isEmpty();
    }
  }

  /** What memory a content takes is asked before each row is taken. */
  @Test
  void whatIsOnItsWayCounts() {
    Queue<Runnable> handed = new ArrayDeque<>();
    try (Packer packer = new Packer(Compression.GZIP, handed::add)) {
      for (int i = 0; i < 4; i++) {
        packer.append(new byte[Packer.STAGE], 0, Packer.STAGE);
      }
      assertThat(packer.size()).isEqualTo(3 * Packer.STAGE);

      handed.remove().run();

      assertThat(packer.size()).isLessThan(Packer.STAGE);
    }
  }

  @Test
  void whoAppendsWaitsWhenTooMuchIsOnItsWay() throws Exception {
    Queue<Runnable> handed = new ConcurrentLinkedQueue<>();
    try (Packer packer = new Packer(Compression.NONE, handed::add)) {
      Thread appending =
          new Thread(
              () -> {
                for (int i = 0; i < Packer.MOST_WAITING + 2; i++) {
                  packer.append(new byte[Packer.STAGE], 0, Packer.STAGE);
                }
              });
      appending.start();
      while (appending.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(packer.size()).isEqualTo((long) Packer.MOST_WAITING * Packer.STAGE);

      handed.remove().run();

      appending.join();
      handed.forEach(Runnable::run); // The last stage may have come behind the first task's end.
    }
  }

  @Test
  void anInterruptIsKeptAndHurtsNothing() {
    try (Packer packer = new Packer(Compression.NONE, THREADS)) {
      Thread.currentThread().interrupt();
      for (int i = 0; i < 100; i++) {
        packer.append(new byte[Packer.STAGE], 0, Packer.STAGE);
      }

      assertThat(packer.end()).hasSize(100 * Packer.STAGE);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (InputStream lines = Compression.GZIP.unpacking(packed)) {
      return lines.readAllBytes();
    }
  }
}
