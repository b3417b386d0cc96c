package dev.recorder.clearing.race;

import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Producers that have drawn an id and have not inserted yet, by leaf. Thread-safe. */
final class Latecomers {
  private static final Duration TIME_TO_INSERT = Duration.ofMillis(4);

  private final List<Queue<CountDownLatch>> waiting =
      Stream.generate(() -> (Queue<CountDownLatch>) new ConcurrentLinkedQueue<CountDownLatch>())
          .limit(Block.LEAVES)
          .toList();

  /** Waits until it is let go, or not much longer than that. */
  void park(int leaf, long mostMillis) throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    waiting.get(leaf).add(latch);
    boolean unused = latch.await(mostMillis, TimeUnit.MILLISECONDS);
    waiting.get(leaf).remove(latch);
  }

  /** Lets all go, and them some time to insert. */
  void letAllGo(int leaf) {
    if (letGo(leaf)) {
      while (letGo(leaf)) {
        // The next one.
      }
      LockSupport.parkNanos(TIME_TO_INSERT.toNanos());
    }
  }

  /** Lets one go; false if none waits. */
  boolean letGo(int leaf) {
    CountDownLatch latch = waiting.get(leaf).poll();
    if (latch != null) {
      latch.countDown();
    }
    return latch != null;
  }
}
