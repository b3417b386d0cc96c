package dev.recorder.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.LostRaces;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.Promise;
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
 * <p>One that broke a promise is not tested again, by any machine: {@link RaceMemory}. One that an
 * operator can put right is tested again after {@value #AGAIN_AFTER_SECONDS} s (each test may leave
 * objects behind), one that did not answer whenever it is asked for.
 */
public final class StoreProbes {
  private static final long AGAIN_AFTER_SECONDS = 60;

  private final Ticker ticker;

  // Held while a store is tested, too.
  @GuardedBy("this")
  private final Set<Subject> passed = new HashSet<>();

  @GuardedBy("this")
  private final Map<Subject, RefusedStore> refused = new HashMap<>();

  @GuardedBy("this")
  private final RaceMemory memory;

  /** A store, and what is asked of it. */
  record Subject(ObjectStore store, Promise promise) {}

  private record RefusedStore(String why, long at) {}

  public StoreProbes() {
    this(Ticker.system());
  }

  StoreProbes(Ticker ticker) {
    this.ticker = ticker;
    this.memory = new RaceMemory(ticker);
  }

  /** As {@link #verdict}, also of what documents need. */
  public String verdictForDocuments(DocumentStore store, String folder, LostRaces races) {
    return verdict(
        new Subject(store, Promise.REPLACEMENT),
        races,
        racers -> StoreProbe.runForDocuments(store, folder, UUID.randomUUID(), racers));
  }

  /**
   * Empty if the store keeps its promises, else why it must not be used. Takes one caller at a
   * time.
   *
   * @param races those that this store has lost, also on other machines
   */
  public String verdict(ObjectStore store, String folder, LostRaces races) {
    return verdict(new Subject(store, Promise.CREATION), races, test(store, folder));
  }

  /**
   * As {@link #verdict}, by a test of its own even if the store has passed one. Only a lost race is
   * remembered.
   */
  public String verdictAnew(ObjectStore store, String folder, LostRaces races) {
    Subject subject = new Subject(store, Promise.CREATION);
    synchronized (this) {
      String lost = memory.against(subject, races);
      if (!lost.isEmpty()) {
        return lost;
      }
    }
    StoreProbe.Result result = withRacers(test(store, folder));
    synchronized (this) {
      return words(subject, races, result);
    }
  }

  private static Function<Executor, StoreProbe.Result> test(ObjectStore store, String folder) {
    return racers -> StoreProbe.run(store, folder, UUID.randomUUID(), racers);
  }

  private synchronized String verdict(
      Subject subject, LostRaces races, Function<Executor, StoreProbe.Result> test) {
    boolean hasPassed = passed.contains(subject);
    String lost = hasPassed ? memory.againstPassed(subject, races) : memory.against(subject, races);
    if (!lost.isEmpty() || hasPassed) {
      return lost;
    }
    RefusedStore before = refused.get(subject);
    if (before != null
        && ticker.nanos() - before.at() < TimeUnit.SECONDS.toNanos(AGAIN_AFTER_SECONDS)) {
      return before.why();
    }
    StoreProbe.Result result = withRacers(test);
    String why = words(subject, races, result);
    if (result instanceof StoreProbe.Unusable) {
      refused.put(subject, new RefusedStore(why, ticker.nanos()));
    } else if (result instanceof StoreProbe.Passed) {
      passed.add(subject);
    }
    return why;
  }

  @GuardedBy("this")
  private String words(Subject subject, LostRaces races, StoreProbe.Result result) {
    if (result instanceof StoreProbe.Broken lost) {
      return memory.lose(subject, lost, races);
    } else if (result instanceof StoreProbe.Unusable failed) {
      return failed.why() + "; " + failed.remedy();
    } else if (result instanceof StoreProbe.Undecided unclear) {
      return unclear.why();
    }
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
