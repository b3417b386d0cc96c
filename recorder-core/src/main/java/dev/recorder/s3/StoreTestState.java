package dev.recorder.s3;

import dev.recorder.s3.StoreProbes.Subject;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.store.StoreViolations;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The test results of one store, which one caller at a time tests. Thread-safe. */
final class StoreTestState {
  /** How long a refusal counts. Tests are rare because each leaves objects. */
  private static final Duration OF_A_REFUSAL = Duration.ofSeconds(60);

  /**
   * How long a missing answer counts. The recorders of a store request a test together, and again
   * after this time.
   */
  private static final Duration OF_NO_ANSWER = Duration.ofSeconds(2);

  private final Ticker ticker;

  /** Also held during a test, which may take long. */
  private final ReentrantLock turn = new ReentrantLock();

  private final Set<StoreGuarantee> passed = ConcurrentHashMap.newKeySet();

  /** Why the store failed its last test. */
  private final Map<StoreGuarantee, RefusedStore> refused = new ConcurrentHashMap<>();

  // Guarded by turn.
  private final ViolationCache memory;

  private record RefusedStore(String why, long at, Duration counts) {}

  StoreTestState(Ticker ticker) {
    this.ticker = ticker;
    this.memory = new ViolationCache(ticker);
  }

  /**
   * Returns why the store must not be used; empty if it keeps its promises. During a test other
   * callers wait for its result, unless the store has failed before. Otherwise, many callers that
   * wait for a silent store would use up the threads of other stores.
   */
  String verdict(Subject subject, StoreViolations races, Supplier<StoreProbe.Result> test) {
    if (!turn.tryLock()) {
      RefusedStore before = refused.get(subject.promise());
      if (before != null && !passed.contains(subject.promise())) {
        return before.why();
      }
      turn.lock();
    }
    try {
      return inTurn(subject, races, test);
    } finally {
      turn.unlock();
    }
  }

  /** Runs a test without waiting for other tests. Only a lost race is kept. */
  String verdictAnew(Subject subject, StoreViolations races, Supplier<StoreProbe.Result> test) {
    String lost = locked(() -> memory.against(subject, false, races));
    if (!lost.isEmpty()) {
      return lost;
    }
    StoreProbe.Result result = test.get();
    return locked(() -> words(subject, races, result));
  }

  private String locked(Supplier<String> work) {
    turn.lock();
    try {
      return work.get();
    } finally {
      turn.unlock();
    }
  }

  // Guarded by turn, like the next two methods.
  private String inTurn(Subject subject, StoreViolations races, Supplier<StoreProbe.Result> test) {
    StoreGuarantee promise = subject.promise();
    boolean hasPassed = passed.contains(promise);
    String lost = memory.against(subject, hasPassed, races);
    if (!lost.isEmpty() || hasPassed) {
      return lost;
    }
    RefusedStore before = refused.get(promise);
    if (before != null && ticker.nanos() - before.at() < before.counts().toNanos()) {
      return before.why();
    }
    StoreProbe.Result result = test.get();
    String why = words(subject, races, result);
    remember(promise, result, why);
    return why;
  }

  private void remember(StoreGuarantee promise, StoreProbe.Result result, String why) {
    if (result instanceof StoreProbe.Unusable) {
      refused.put(promise, new RefusedStore(why, ticker.nanos(), OF_A_REFUSAL));
    } else if (result instanceof StoreProbe.Undecided) {
      refused.put(promise, new RefusedStore(why, ticker.nanos(), OF_NO_ANSWER));
    } else {
      refused.remove(promise);
    }
    if (result instanceof StoreProbe.Passed) {
      passed.add(promise);
    }
  }

  private String words(Subject subject, StoreViolations races, StoreProbe.Result result) {
    if (result instanceof StoreProbe.Broken lost) {
      return memory.lose(subject, lost, races);
    } else if (result instanceof StoreProbe.Unusable failed) {
      return failed.why() + "; " + failed.remedy();
    } else if (result instanceof StoreProbe.Undecided unclear) {
      return unclear.why();
    }
    return "";
  }
}
