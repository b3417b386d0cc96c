package dev.recorder.s3;

import dev.recorder.store.ObjectStore;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Ticker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tests each store once per start of the machine, whichever of its recorders asks first. One that
 * broke its promises is tested again only after {@value #AGAIN_AFTER_SECONDS} s: each test leaves
 * objects behind.
 */
public final class StoreTests {
  private static final int RACERS = 16;

  private static final long AGAIN_AFTER_SECONDS = 60;

  private final Ticker ticker = Ticker.system();
  private final Set<ObjectStore> passed = new HashSet<>();
  private final Map<ObjectStore, Refused> refused = new HashMap<>();

  private record Refused(String why, long at) {}

  /**
   * Empty if the store keeps its promises, else why it must not be used. Takes one caller at a
   * time.
   */
  public synchronized String verdict(ObjectStore bucket, String folder) {
    if (passed.contains(bucket)) {
      return "";
    }
    Refused before = refused.get(bucket);
    if (before != null
        && ticker.nanos() - before.at() < TimeUnit.SECONDS.toNanos(AGAIN_AFTER_SECONDS)) {
      return before.why();
    }
    StoreTest.Result result = test(bucket, folder);
    if (result instanceof StoreTest.Failed failed) {
      String why = failed.why() + "; " + failed.remedy();
      refused.put(bucket, new Refused(why, ticker.nanos()));
      return why;
    } else if (result instanceof StoreTest.Unclear unclear) {
      return unclear.why();
    }
    passed.add(bucket);
    return "";
  }

  private static StoreTest.Result test(ObjectStore bucket, String folder) {
    ThreadPoolExecutor racers =
        new ThreadPoolExecutor(
            RACERS,
            RACERS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new NamedThreads("store-test"));
    try {
      return StoreTest.run(bucket, folder, UUID.randomUUID(), racers);
    } finally {
      racers.shutdownNow();
    }
  }
}
