package dev.recorder.s3;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreViolations;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Ticker;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Tests each store once per start of the host, for the recorder that needs it first. The test of
 * one store does not delay tests of others. Thread-safe.
 *
 * <p>No host tests a store again that broke a promise ({@link ViolationCache}). At the next
 * request, a store that an operator can correct is tested again after a minute, and a store that
 * did not answer after two seconds ({@link StoreTestState}).
 */
public final class StoreProbes {
  private final Ticker ticker;
  private final Map<ObjectStore, StoreTestState> stores = new ConcurrentHashMap<>();

  /** A store and the promise that is required of it. */
  record Subject(ObjectStore store, StoreGuarantee promise) {}

  public StoreProbes() {
    this(Ticker.system());
  }

  StoreProbes(Ticker ticker) {
    this.ticker = ticker;
  }

  /** As {@link #verdict}, including the promise that documents need. */
  public String verdictForDocuments(DocumentStore store, String folder, StoreViolations races) {
    return of(store)
        .verdict(
            new Subject(store, StoreGuarantee.REPLACEMENT),
            races,
            () ->
                withRacers(
                    racers ->
                        StoreProbe.runForDocuments(store, folder, UUID.randomUUID(), racers)));
  }

  /**
   * Returns why the store must not be used; empty if it keeps its promises.
   *
   * @param races the races that this store has lost, also on other hosts
   */
  public String verdict(ObjectStore store, String folder, StoreViolations races) {
    return of(store)
        .verdict(new Subject(store, StoreGuarantee.CREATION), races, () -> test(store, folder));
  }

  /**
   * As {@link #verdict}, but runs a test even if the store has passed one. Only a lost race is
   * kept.
   */
  public String verdictAnew(ObjectStore store, String folder, StoreViolations races) {
    return of(store)
        .verdictAnew(new Subject(store, StoreGuarantee.CREATION), races, () -> test(store, folder));
  }

  private StoreTestState of(ObjectStore store) {
    return stores.computeIfAbsent(store, first -> new StoreTestState(ticker));
  }

  private static StoreProbe.Result test(ObjectStore store, String folder) {
    return withRacers(racers -> StoreProbe.run(store, folder, UUID.randomUUID(), racers));
  }

  private static StoreProbe.Result withRacers(Function<Executor, StoreProbe.Result> test) {
    ThreadPoolExecutor racers =
        new ThreadPoolExecutor(
            ConcurrentWriters.RACERS,
            ConcurrentWriters.RACERS,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new NamedThreadFactory("store-test"));
    try {
      return test.apply(racers);
    } finally {
      racers.shutdownNow();
    }
  }
}
