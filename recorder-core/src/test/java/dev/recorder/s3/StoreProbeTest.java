package dev.recorder.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.StoreProbe.Broken;
import dev.recorder.s3.StoreProbe.Passed;
import dev.recorder.s3.StoreProbe.Result;
import dev.recorder.s3.StoreProbe.Unusable;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.Absent;
import dev.recorder.store.ObjectStore.AlreadyThere;
import dev.recorder.store.ObjectStore.Changed;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.Present;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.StoreGuarantee;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.NamedThreadFactory;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The test of stores, tested on stores that break one promise each. */
class StoreProbeTest {
  private static final UUID RUN = UUID.fromString("00000000-0000-0000-0000-000000000001");

  private final ExecutorService threads =
      Executors.newFixedThreadPool(ConcurrentWriters.RACERS, new NamedThreadFactory("racer"));
  private final SpoiltStore store = new SpoiltStore();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void passesAGoodStoreAndLeavesOneObjectPerRace() {
    assertThat(test(store)).isEqualTo(new Passed());

    assertThat(store.good.objects()).hasSize(StoreProbe.RACES);
    assertThat(store.good.objects().keySet())
        .allMatch(key -> key.startsWith("prefix/name/_store_test/" + RUN + "-"));
  }

  @Test
  void failsAStoreThatIgnoresTheCondition() {
    store.create = store::overwrite;

    assertFails("told they won");
  }

  /** Looks first and then writes; the gap is as wide as it takes a second writer to look, too. */
  @Test
  void failsAStoreThatChecksAndThenWrites() {
    CountDownLatch lookers = new CountDownLatch(2);
    store.create =
        (key, body, metadata) -> {
          if (store.head(key) instanceof Present) {
            return new AlreadyThere();
          }
          meet(lookers);
          return store.overwrite(key, body, metadata);
        };

    assertFails("several of 16 writers racing to create ");
  }

  @Test
  void failsAStoreThatForgetsTheConditionOnceTheRaceIsOver() {
    AtomicInteger puts = new AtomicInteger();
    store.create =
        (key, body, metadata) ->
            puts.incrementAndGet() <= ConcurrentWriters.RACERS
                ? store.good.putIfAbsent(key, body, metadata)
                : store.overwrite(key, body, metadata);

    assertFails("overwrote");
  }

  @Test
  void failsAStoreThatLosesMetadata() {
    store.create = (key, body, metadata) -> store.good.putIfAbsent(key, body, Map.of());

    assertFails("metadata");
  }

  @Test
  void failsAStoreThatReadsSomethingElseThanWasWritten() {
    store.get = key -> new Absent();

    assertFails("not the one that won");
  }

  @Test
  void failsAStoreThatLetsNobodyWin() {
    store.create = (key, body, metadata) -> new AlreadyThere();

    assertFails("none of 16 writers");
  }

  @Test
  void failsAStoreThatFindsWhatWasNeverWritten() {
    store.head = key -> new Present(Map.of());

    assertFails("although no host wrote it");
  }

  @Test
  void failsWithTheStoresReasonWhereOnlyAnOperatorCanHelp() {
    assertThat(test(MemoryStore.withoutBucket()))
        .isInstanceOfSatisfying(
            Unusable.class,
            failed -> {
              assertThat(failed.why()).contains("no such bucket");
              assertThat(failed.remedy()).isNotEmpty();
            });
  }

  @Test
  void isUnclearWhileTheStoreDoesNotAnswer() {
    store.head = key -> new ObjectStore.Unclear("503", true);

    assertThat(test(store)).isEqualTo(new StoreProbe.Undecided("503"));
  }

  /** Each run has keys of its own; whoever repeats the test would else tell the same as news. */
  @Test
  void tellsTheSameProblemInTheSameWords() {
    store.create = store::overwrite;
    assertThat(test(store, UUID.randomUUID())).isEqualTo(test(store, UUID.randomUUID()));

    store.head = key -> new ObjectStore.Unclear("HEAD of " + key + ": no answer", true);
    assertThat(test(store))
        .isEqualTo(new StoreProbe.Undecided("HEAD of prefix/name/_store_test/*: no answer"));
  }

  @Test
  void isUnclearWhenTheWinnersAnswerIsLost() {
    store.create =
        (key, body, metadata) ->
            store.good.putIfAbsent(key, body, metadata) instanceof Created
                ? new ObjectStore.Unclear("connection lost", true)
                : new AlreadyThere();

    assertThat(test(store)).isEqualTo(new StoreProbe.Undecided("connection lost"));
  }

  /** It created the object with the first, and refused the second. */
  @Test
  void isUnclearWhenTheWinnersRequestIsSentTwiceOnTheWay() {
    store.create =
        (key, body, metadata) -> {
          store.good.putIfAbsent(key, body, metadata);
          return store.good.putIfAbsent(key, body, metadata);
        };

    assertUnclear(test(store), "one won and was not told");
  }

  /** That another write is under way, as S3 may say. */
  @Test
  void passesAStoreThatTellsRacersThatTheyAreInConflict() {
    Map<String, AtomicInteger> puts = new ConcurrentHashMap<>();
    store.create =
        (key, body, metadata) -> {
          PutAnswer answer = store.good.putIfAbsent(key, body, metadata);
          int put = puts.computeIfAbsent(key, first -> new AtomicInteger()).incrementAndGet();
          boolean lostTheRace = answer instanceof AlreadyThere && put <= ConcurrentWriters.RACERS;
          return lostTheRace ? new ObjectStore.Unclear("409", true) : answer;
        };

    assertThat(test(store)).isEqualTo(new Passed());
  }

  @Test
  void isUnclearWhenTheRacersDidNotComeToTheStartTogether() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor(new NamedThreadFactory("one"));
    try {
      assertUnclear(
          new StoreProbe(store, "prefix-", new ConcurrentWriters(one, Duration.ofMillis(10))).run(),
          "too busy to race");
    } finally {
      one.shutdownNow();
    }
  }

  // Documents

  @Test
  void passesAGoodStoreForDocuments() {
    assertThat(testForDocuments(store)).isEqualTo(new Passed());

    assertThat(store.good.objects()).hasSize(StoreProbe.RACES);
    assertThat(store.good.objects().values())
        .allMatch(object -> new String(object.bytes(), UTF_8).startsWith("replaced by racer "));
  }

  @Test
  void failsAStoreForDocumentsThatIsNoneForLogs() {
    assertThat(testForDocuments(MemoryStore.withoutBucket())).isInstanceOf(Unusable.class);

    store.create = store::overwrite;
    assertThat(testForDocuments(store))
        .isInstanceOfSatisfying(
            Broken.class,
            broken -> assertThat(broken.promise()).isEqualTo(StoreGuarantee.CREATION));
  }

  @Test
  void failsAStoreThatIgnoresWhichVersionIsToBeReplaced() {
    store.replace = (key, body, metadata, etag) -> store.overwrite(key, body, metadata);

    assertFailsForDocuments("told they won");
  }

  @Test
  void failsAStoreThatComparesAndThenReplaces() {
    CountDownLatch lookers = new CountDownLatch(2);
    store.replace =
        (key, body, metadata, etag) -> {
          if (!(store.fetch(key) instanceof Fetched now) || !now.etag().equals(etag)) {
            return new Changed();
          }
          meet(lookers);
          return store.overwrite(key, body, metadata);
        };

    assertFailsForDocuments("told they won");
  }

  @Test
  void failsAStoreThatReplacesWhatIsNotThere() {
    store.replace =
        (key, body, metadata, etag) ->
            store.head(key) instanceof Absent
                ? store.good.putIfAbsent(key, body, metadata)
                : store.good.putIfMatch(key, body, metadata, etag);

    assertFailsForDocuments("not there");
  }

  @Test
  void failsAStoreWhoseReplacementsDoNotStay() {
    store.replace = (key, body, metadata, etag) -> store.good.putIfMatch(key, body, Map.of(), etag);

    assertFailsForDocuments("metadata");
  }

  @Test
  void isUnclearAboutDocumentsWhileTheStoreDoesNotAnswer() {
    store.fetch = (key, mayRead) -> new ObjectStore.Unclear("503", true);

    assertThat(testForDocuments(store)).isEqualTo(new StoreProbe.Undecided("503"));
  }

  /** Returns once two have looked. */
  private static void meet(CountDownLatch lookers) {
    lookers.countDown();
    try {
      assertThat(lookers.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Result test(ObjectStore tested) {
    return test(tested, RUN);
  }

  private Result test(ObjectStore tested, UUID run) {
    return StoreProbe.run(tested, "prefix/name/", run, threads);
  }

  private Result testForDocuments(DocumentStore tested) {
    return StoreProbe.runForDocuments(tested, "prefix/name/", RUN, threads);
  }

  private void assertFails(String why) {
    assertBroken(test(store), StoreGuarantee.CREATION, why);
  }

  private void assertFailsForDocuments(String why) {
    assertBroken(testForDocuments(store), StoreGuarantee.REPLACEMENT, why);
  }

  private static void assertBroken(Result result, StoreGuarantee promise, String why) {
    assertThat(result)
        .isInstanceOfSatisfying(
            Broken.class,
            broken -> {
              assertThat(broken.why()).contains(why);
              assertThat(broken.remedy()).isNotEmpty();
              assertThat(broken.promise()).isEqualTo(promise);
            });
  }

  private static void assertUnclear(Result result, String why) {
    assertThat(result)
        .isInstanceOfSatisfying(
            StoreProbe.Undecided.class, unclear -> assertThat(unclear.why()).contains(why));
  }
}
