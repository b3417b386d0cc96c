package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.Cause;
import dev.recorder.testing.MemoryStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** What is kept of a test's result, on stores that change between two tests. */
class StoreProbesTest {
  private static final String FOLDER = "prefix/name/";

  private long nanos;
  private final StoreProbes tests = new StoreProbes(() -> nanos);

  @Test
  void aStoreThatPassedIsNotTestedAgain() {
    Changing store = new Changing();

    assertThat(tests.verdict(store, FOLDER)).isEmpty();
    assertThat(tests.verdict(store, FOLDER)).isEmpty();

    assertThat(store.tests).hasValue(1);
  }

  @Test
  void aStoreThatLostARaceOnceIsRefusedForEverHoweverWellItBehaves() {
    Changing store = new Changing();
    store.letsAllCreate = true;
    String first = tests.verdict(store, FOLDER);
    assertThat(first).contains("told they won", "use a store", "not tested again before a restart");

    store.letsAllCreate = false;
    pass(Duration.ofDays(30));

    assertThat(tests.verdict(store, FOLDER)).isEqualTo(first);
    assertThat(tests.verdictForDocuments(store, FOLDER)).isEqualTo(first);
    assertThat(store.tests).hasValue(1);
  }

  @Test
  void aStoreThatLostARaceForReplacementsMayStillHoldLogs() {
    Changing store = new Changing();
    store.letsAllReplace = true;
    String first = tests.verdictForDocuments(store, FOLDER);
    assertThat(first).contains("told they won");

    store.letsAllReplace = false;
    pass(Duration.ofDays(30));

    assertThat(tests.verdictForDocuments(store, FOLDER)).isEqualTo(first);
    assertThat(tests.verdict(store, FOLDER)).isEmpty();
  }

  @Test
  void aStoreThatDidNotAnswerIsTestedWheneverItIsAskedFor() {
    Changing store = new Changing();
    store.says = new ObjectStore.Unclear("503", true);
    assertThat(tests.verdict(store, FOLDER)).isEqualTo("503");

    store.says = null;

    assertThat(tests.verdict(store, FOLDER)).isEmpty();
  }

  @Test
  void aStoreThatAnOperatorCanPutRightIsTestedAgainAfterAMinute() {
    Changing store = new Changing();
    store.says = new ObjectStore.Unclear("set checksums", false, Cause.SETTING);
    assertThat(tests.verdict(store, FOLDER)).contains("set checksums");
    store.says = null;
    assertThat(tests.verdict(store, FOLDER)).contains("set checksums");

    pass(Duration.ofSeconds(60));

    assertThat(tests.verdict(store, FOLDER)).isEmpty();
    assertThat(store.tests).hasValue(2);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** A good store, unless it is told to be none. */
  private static final class Changing implements DocumentStore {
    private final MemoryStore store = new MemoryStore();

    /** Each test begins by looking for an object. */
    private final AtomicInteger tests = new AtomicInteger();

    private volatile boolean letsAllCreate;
    private volatile boolean letsAllReplace;
    private volatile Unclear says;

    @Override
    public HeadAnswer head(String key) {
      tests.incrementAndGet();
      return says == null ? store.head(key) : says;
    }

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      PutAnswer answer = store.putIfAbsent(key, body, metadata);
      return letsAllCreate ? new Created() : answer;
    }

    @Override
    public PutAnswer putIfMatch(
        String key, byte[] body, Map<String, String> metadata, String etag) {
      PutAnswer answer = store.putIfMatch(key, body, metadata, etag);
      return letsAllReplace ? new Created() : answer;
    }

    @Override
    public GetAnswer get(String key) {
      return store.get(key);
    }

    @Override
    public FetchAnswer fetch(String key, LongPredicate mayRead) {
      return store.fetch(key, mayRead);
    }
  }
}
