package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.Cause;
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
    assertThat(tests.verdict(store, FOLDER)).isEmpty();
    assertThat(tests.verdict(store, FOLDER)).isEmpty();

    assertThat(begun).hasValue(1);
  }

  @Test
  void aStoreThatLostARaceOnceIsRefusedForEverHoweverWellItBehaves() {
    store.create = store::overwrite;
    String first = tests.verdict(store, FOLDER);
    assertThat(first).contains("told they won", "use a store", "not tested again before a restart");

    store.create = store.good::putIfAbsent;
    pass(Duration.ofDays(30));

    assertThat(tests.verdict(store, FOLDER)).isEqualTo(first);
    assertThat(tests.verdictForDocuments(store, FOLDER)).isEqualTo(first);
    assertThat(begun).hasValue(1);
  }

  @Test
  void aStoreThatLostARaceForReplacementsMayStillHoldLogs() {
    store.replace = (key, body, metadata, etag) -> store.overwrite(key, body, metadata);
    String first = tests.verdictForDocuments(store, FOLDER);
    assertThat(first).contains("told they won");

    store.replace = store.good::putIfMatch;
    pass(Duration.ofDays(30));

    assertThat(tests.verdictForDocuments(store, FOLDER)).isEqualTo(first);
    assertThat(tests.verdict(store, FOLDER)).isEmpty();
  }

  @Test
  void aStoreThatDidNotAnswerIsTestedWheneverItIsAskedFor() {
    store.head = key -> new ObjectStore.Unclear("503", true);
    assertThat(tests.verdict(store, FOLDER)).isEqualTo("503");

    store.head = store.good::head;

    assertThat(tests.verdict(store, FOLDER)).isEmpty();
  }

  @Test
  void aStoreThatAnOperatorCanPutRightIsTestedAgainAfterAMinute() {
    store.head =
        key -> {
          look(key);
          return new ObjectStore.Unclear("set checksums", false, Cause.SETTING);
        };
    assertThat(tests.verdict(store, FOLDER)).contains("set checksums");
    store.head = this::look;
    assertThat(tests.verdict(store, FOLDER)).contains("set checksums");

    pass(Duration.ofSeconds(60));

    assertThat(tests.verdict(store, FOLDER)).isEmpty();
    assertThat(begun).hasValue(2);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
