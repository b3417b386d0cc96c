package dev.recorder.s3;

import dev.recorder.s3.StoreProbe.Promise;
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
 * Tests each store once per start of the machine, whichever of its recorders asks first.
 *
 * <p>One that broke a promise is never tested again: whether racing writers meet is a matter of
 * chance, and a store that has let two of them win once is not made safe by a race that it decides
 * well. One that an operator can put right is tested again after {@value #AGAIN_AFTER_SECONDS} s
 * (each test may leave objects behind), one that did not answer whenever it is asked for.
 */
public final class StoreProbes {
  private static final long AGAIN_AFTER_SECONDS = 60;

  private final Ticker ticker;

  // Guarded by this, also while a store is tested.
  private final Set<Subject> passed = new HashSet<>();
  private final Map<Subject, RefusedStore> refused = new HashMap<>();
  private final Map<Subject, String> broken = new HashMap<>();

  /** A store, and what is asked of it. */
  private record Subject(ObjectStore store, Promise promise) {}

  private record RefusedStore(String why, long at) {}

  public StoreProbes() {
    this(Ticker.system());
  }

  StoreProbes(Ticker ticker) {
    this.ticker = ticker;
  }

  /** As {@link #verdict}, also of what documents need. */
  public String verdictForDocuments(DocumentStore store, String folder) {
    return verdict(
        new Subject(store, Promise.REPLACEMENT),
        racers -> StoreProbe.runForDocuments(store, folder, UUID.randomUUID(), racers));
  }

  /**
   * Empty if the store keeps its promises, else why it must not be used. Takes one caller at a
   * time.
   */
  public String verdict(ObjectStore store, String folder) {
    return verdict(
        new Subject(store, Promise.CREATION),
        racers -> StoreProbe.run(store, folder, UUID.randomUUID(), racers));
  }

  private synchronized String verdict(Subject subject, Function<Executor, StoreProbe.Result> test) {
    String lost = broken.getOrDefault(new Subject(subject.store(), Promise.CREATION), "");
    if (lost.isEmpty()) {
      lost = broken.getOrDefault(subject, "");
    }
    if (!lost.isEmpty() || passed.contains(subject)) {
      return lost;
    }
    RefusedStore before = refused.get(subject);
    if (before != null
        && ticker.nanos() - before.at() < TimeUnit.SECONDS.toNanos(AGAIN_AFTER_SECONDS)) {
      return before.why();
    }
    return note(subject, withRacers(test));
  }

  private String note(Subject subject, StoreProbe.Result result) {
    if (result instanceof StoreProbe.Broken lost) {
      String why =
          """
          %s; %s; it is not tested again before a restart: a store that lost one race is not \
          trusted because it wins the next\
          """
              .formatted(lost.why(), lost.remedy());
      broken.put(new Subject(subject.store(), lost.promise()), why);
      return why;
    } else if (result instanceof StoreProbe.Failed failed) {
      String why = failed.why() + "; " + failed.remedy();
      refused.put(subject, new RefusedStore(why, ticker.nanos()));
      return why;
    } else if (result instanceof StoreProbe.Unclear unclear) {
      return unclear.why();
    }
    passed.add(subject);
    return "";
  }

  private static StoreProbe.Result withRacers(Function<Executor, StoreProbe.Result> test) {
    ThreadPoolExecutor racers =
        new ThreadPoolExecutor(
            Race.RACERS,
            Race.RACERS,
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
