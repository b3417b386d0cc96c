package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.testing.Patience;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept of a test's result, on stores that change between two tests. */
class StoreProbesTest {
  private static final String FOLDER = "prefix/name/";

  private long nanos;
  private final StoreProbes tests = new StoreProbes(() -> nanos);
  private final SpoiltStore store = new SpoiltStore();
  private final KeptViolations kept = new KeptViolations();

  /** Each test begins by looking for an object. */
  private final AtomicInteger begun = new AtomicInteger();

  @BeforeEach
  void count() {
    store.head = this::look;
  }

  private ObjectStore.HeadAnswer look(String key) {
    begun.incrementAndGet();
    return store.good.head(key);
  }

  @Test
  void aStoreThatPassedIsNotTestedAgain() {
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();

    assertThat(begun).hasValue(1);
  }

  @Test
  void aStoreThatLostARaceOnceIsRefusedForEverHoweverWellItBehaves() {
    store.create = store::overwrite;
    String first = tests.verdict(store, FOLDER, kept);
    assertThat(first).startsWith("kept: this store does not keep").contains("told they won");

    store.create = store.good::putIfAbsent;
    pass(Duration.ofDays(30));

    assertThat(tests.verdict(store, FOLDER, kept)).isEqualTo(first);
    assertThat(tests.verdictForDocuments(store, FOLDER, kept)).isEqualTo(first);
    assertThat(begun).hasValue(1);
    assertThat(kept.races).hasSize(1);
  }

  @Test
  void anotherMachineAndTheNextProcessDoNotEvenTestIt() {
    store.create = store::overwrite;
    String first = tests.verdict(store, FOLDER, kept);
    store.create = store.good::putIfAbsent;

    StoreProbes others = new StoreProbes(() -> nanos);
    assertThat(others.verdict(store, "another/prefix/", kept)).isEqualTo(first);
    assertThat(others.verdictAnew(store, FOLDER, kept)).isEqualTo(first);
    assertThat(begun).hasValue(1);
  }

  @Test
  void aStoreThatSomebodyAnswersForIsTestedAgainWithoutARestart() {
    store.create = store::overwrite;
    assertThat(tests.verdict(store, FOLDER, kept)).isNotEmpty();

    kept.races.clear();
    pass(Duration.ofSeconds(2));
    assertThat(tests.verdict(store, FOLDER, kept)).as("it is as it was").isNotEmpty();

    store.create = store.good::putIfAbsent;
    kept.races.clear();
    pass(Duration.ofSeconds(2));
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    assertThat(begun).hasValue(3);
  }

  @Test
  void aRaceThatCouldNotBeNotedIsRememberedHereAndNotedWhenThatIsPossible() {
    kept.mute = "no table";
    store.create = store::overwrite;
    String first = tests.verdict(store, FOLDER, kept);
    assertThat(first)
        .contains("told they won", "use a store", "not tested again before a restart")
        .endsWith("nor does this one after a restart: no table");

    store.create = store.good::putIfAbsent;
    pass(Duration.ofDays(30));
    assertThat(tests.verdict(store, FOLDER, kept)).isEqualTo(first);
    assertThat(tests.verdictForDocuments(store, FOLDER, kept)).isEqualTo(first);

    kept.mute = "";
    pass(Duration.ofSeconds(2));
    assertThat(tests.verdict(store, FOLDER, kept)).startsWith("kept: ");
    assertThat(kept.races).hasSize(1);
    assertThat(begun).hasValue(1);
  }

  @Test
  void aStoreThatPassedIsRefusedOnceAnotherMachineHasSeenItLose() {
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    StoreProbes others = new StoreProbes(() -> nanos);
    store.create = store::overwrite;
    assertThat(others.verdictAnew(store, FOLDER, kept)).isNotEmpty();
    store.create = store.good::putIfAbsent;
    pass(Duration.ofSeconds(2));

    assertThat(tests.verdict(store, FOLDER, kept)).startsWith("kept: ");
  }

  @Test
  void aRehearsalThatSeesItLoseSpeaksForItsMachineEvenIfNothingCanBeNoted() {
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    kept.mute = "no table";
    store.create = store::overwrite;
    String rehearsed = tests.verdictAnew(store, FOLDER, kept);
    assertThat(rehearsed).contains("told they won");
    store.create = store.good::putIfAbsent;

    assertThat(tests.verdict(store, FOLDER, kept)).isEqualTo(rehearsed);
    assertThat(tests.verdictAnew(store, FOLDER, kept)).isEqualTo(rehearsed);
  }

  @Test
  void aStoreIsNotTestedBeforeItCanBeAskedWhetherItHasLostARace() {
    kept.blind = "no answer";
    assertThat(tests.verdict(store, FOLDER, kept)).isEqualTo("no answer");
    assertThat(begun).hasValue(0);

    kept.blind = "";
    pass(Duration.ofSeconds(2));
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();

    kept.blind = "no answer";
    pass(Duration.ofSeconds(2));
    assertThat(tests.verdict(store, FOLDER, kept)).as("it has passed here").isEmpty();
  }

  @Test
  void manyRecordersThatAskAtOnceAreOneQuestion() {
    for (int recorder = 0; recorder < 998; recorder++) {
      assertThat(tests.verdict(store, FOLDER + recorder, kept)).isEmpty();
    }

    assertThat(kept.asked).isEqualTo(1);
  }

  @Test
  void aStoreThatLostARaceForReplacementsMayStillHoldLogs() {
    store.replace = (key, body, metadata, etag) -> store.overwrite(key, body, metadata);
    String first = tests.verdictForDocuments(store, FOLDER, kept);
    assertThat(first).contains("told they won");

    store.replace = store.good::putIfMatch;
    pass(Duration.ofDays(30));

    assertThat(tests.verdictForDocuments(store, FOLDER, kept)).isEqualTo(first);
    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
  }

  @Test
  void recordersOfAStoreThatDidNotAnswerShareWhatWasFoundForTwoSeconds() {
    store.head =
        key -> {
          look(key);
          return new ObjectStore.Unclear("503", true);
        };
    for (int recorder = 0; recorder < 10; recorder++) {
      assertThat(tests.verdict(store, FOLDER + recorder, kept)).isEqualTo("503");
    }
    assertThat(begun).hasValue(1);

    store.head = this::look;
    pass(Duration.ofSeconds(2));

    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    assertThat(begun).hasValue(2);
  }

  @Test
  void whileAStoreHangsAnotherIsTested() throws Exception {
    try (HangingStore hanging = new HangingStore(store)) {
      assertThat(hanging.begin()).isNotDone();

      SpoiltStore other = new SpoiltStore();

      assertThat(hanging.beside(() -> tests.verdict(other, FOLDER, kept))).isEmpty();
      assertThat(hanging.beside(() -> tests.verdictAnew(other, FOLDER, kept))).isEmpty();
    }
  }

  @Test
  void nobodyWaitsForAStoreThatDidNotAnswerBeforeButTheOneThatTestsIt() throws Exception {
    store.head = key -> new ObjectStore.Unclear("503", true);
    assertThat(tests.verdict(store, FOLDER, kept)).isEqualTo("503");
    pass(Duration.ofSeconds(2));

    try (HangingStore hanging = new HangingStore(store)) {
      Future<String> verdict = hanging.begin();

      assertThat(hanging.beside(() -> tests.verdict(store, FOLDER, kept))).isEqualTo("503");

      hanging.close();
      assertThat(verdict.get()).isEmpty();
      assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    }
  }

  /** Makes a store hang in its test until this is closed. */
  private final class HangingStore implements AutoCloseable {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CompletableFuture<String> answers = new CompletableFuture<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SpoiltStore hanging;

    HangingStore(SpoiltStore store) {
      this.hanging = store;
      store.head =
          key -> {
            asked.countDown();
            answers.join();
            return store.good.head(key);
          };
    }

    /** Returns once it is being tested. */
    Future<String> begin() throws InterruptedException {
      Future<String> verdict = threads.submit(() -> tests.verdict(hanging, FOLDER, kept));
      asked.await();
      return verdict;
    }

    /** Waits for what must not wait for the store. */
    String beside(Callable<String> question) throws Exception {
      return threads.submit(question).get(Patience.A_MINUTE.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      answers.complete("");
      threads.shutdown();
    }
  }

  @Test
  void aStoreThatAnOperatorCanPutRightIsTestedAgainAfterAMinute() {
    store.head =
        key -> {
          look(key);
          return new ObjectStore.Unclear("set checksums", false, RefusalCause.SETTING);
        };
    assertThat(tests.verdict(store, FOLDER, kept)).contains("set checksums");
    store.head = this::look;
    assertThat(tests.verdict(store, FOLDER, kept)).contains("set checksums");

    pass(Duration.ofSeconds(60));

    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
    assertThat(begun).hasValue(2);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
