package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.RefusalCause;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept of a test's result, on stores that change between two tests. */
class StoreProbesTest {
  private static final String FOLDER = "prefix/name/";

  private long nanos;
  private final StoreProbes tests = new StoreProbes(() -> nanos);
  private final SpoiltStore store = new SpoiltStore();
  private final KeptRaces kept = new KeptRaces();

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
  void aStoreThatDidNotAnswerIsTestedWheneverItIsAskedFor() {
    store.head = key -> new ObjectStore.Unclear("503", true);
    assertThat(tests.verdict(store, FOLDER, kept)).isEqualTo("503");

    store.head = store.good::head;

    assertThat(tests.verdict(store, FOLDER, kept)).isEmpty();
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
