package dev.recorder.machine;

import dev.recorder.s3.StoreTest;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectStore;
import dev.recorder.time.NamedThreads;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Tests each store once per start of the machine, whichever of its recorders asks first. */
final class StoreTests {
  private static final int RACERS = 16;

  private final Set<ObjectStore> passed = new HashSet<>();

  /**
   * Empty if the store keeps its promises, else why it must not be used. Takes one caller at a
   * time.
   */
  synchronized String verdict(ObjectStore bucket, LogLayout layout) {
    if (passed.contains(bucket)) {
      return "";
    }
    StoreTest.Result result = test(bucket, layout);
    if (result instanceof StoreTest.Failed failed) {
      return failed.why() + "; " + failed.remedy();
    } else if (result instanceof StoreTest.Unclear unclear) {
      return unclear.why();
    }
    passed.add(bucket);
    return "";
  }

  private static StoreTest.Result test(ObjectStore bucket, LogLayout layout) {
    ThreadPoolExecutor racers =
        new ThreadPoolExecutor(
            RACERS,
            RACERS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new NamedThreads("store-test"));
    try {
      return StoreTest.run(bucket, layout.folder(), UUID.randomUUID(), racers);
    } finally {
      racers.shutdownNow();
    }
  }
}
