package dev.recorder.s3;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Ticker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Tests each store once per start of the machine, whichever of its recorders asks first. One that
 * broke its promises is tested again only after {@value #AGAIN_AFTER_SECONDS} s: each test leaves
 * objects behind.
 */
public final class StoreTests {
  private static final int RACERS = 16;

  private static final long AGAIN_AFTER_SECONDS = 60;

  private final Ticker ticker = Ticker.system();
  private final Set<Subject> passed = new HashSet<>();
  private final Map<Subject, Refused> refused = new HashMap<>();

  /** A store, and whether it is to replace objects. */
  private record Subject(ObjectStore store, boolean documents) {}

  private record Refused(String why, long at) {}

  /** As {@link #verdict}, also of what documents need. */
  public String verdictForDocuments(DocumentStore store, String folder) {
    return verdict(
        new Subject(store, true),
        racers -> StoreTest.runForDocuments(store, folder, UUID.randomUUID(), racers));
  }

  /**
   * Empty if the store keeps its promises, else why it must not be used. Takes one caller at a
   * time.
   */
  public String verdict(ObjectStore store, String folder) {
    return verdict(
        new Subject(store, false),
        racers -> StoreTest.run(store, folder, UUID.randomUUID(), racers));
  }

  private synchronized String verdict(Subject subject, Function<Executor, StoreTest.Result> test) {
    if (passed.contains(subject)) {
      return "";
    }
    Refused before = refused.get(subject);
    if (before != null
        && ticker.nanos() - before.at() < TimeUnit.SECONDS.toNanos(AGAIN_AFTER_SECONDS)) {
      return before.why();
    }
    StoreTest.Result result = withRacers(test);
    if (result instanceof StoreTest.Failed failed) {
      String why = failed.why() + "; " + failed.remedy();
      refused.put(subject, new Refused(why, ticker.nanos()));
      return why;
    } else if (result instanceof StoreTest.Unclear unclear) {
      return unclear.why();
    }
    passed.add(subject);
    return "";
  }

  private static StoreTest.Result withRacers(Function<Executor, StoreTest.Result> test) {
    ThreadPoolExecutor racers =
        new ThreadPoolExecutor(
            RACERS,
            RACERS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new NamedThreads("store-test"));
    try {
      return test.apply(racers);
    } finally {
      racers.shutdownNow();
    }
  }
}
