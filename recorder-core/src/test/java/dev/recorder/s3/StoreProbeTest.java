package dev.recorder.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.s3.StoreProbe.Broken;
import dev.recorder.s3.StoreProbe.Failed;
import dev.recorder.s3.StoreProbe.Passed;
import dev.recorder.s3.StoreProbe.Promise;
import dev.recorder.s3.StoreProbe.Result;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.MemoryStore;
import dev.recorder.time.NamedThreads;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The test of stores, tested on stores that break one promise each. */
class StoreProbeTest {
  private static final UUID RUN = UUID.fromString("00000000-0000-0000-0000-000000000001");

  private final ExecutorService threads =
      Executors.newFixedThreadPool(StoreProbe.RACERS, new NamedThreads("racer"));
  private final MemoryStore good = new MemoryStore();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void passesAGoodStoreAndLeavesOneObjectPerRace() {
    assertThat(test(good)).isEqualTo(new Passed());

    assertThat(good.objects()).hasSize(StoreProbe.RACES);
    assertThat(good.objects().keySet())
        .allMatch(key -> key.startsWith("prefix/name/_store_test/" + RUN + "-"));
  }

  @Test
  void failsAStoreThatIgnoresTheCondition() {
    assertFails(
        new Spoilt() {
          @Override
          public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
            return overwrite(key, body, metadata);
          }
        },
        "told they won");
  }

  @Test
  void failsAStoreThatChecksAndThenWrites() {
    assertFails(new Racing(), "several of 16 writers racing to create ");
  }

  @Test
  void failsAStoreThatForgetsTheConditionOnceTheRaceIsOver() {
    AtomicInteger puts = new AtomicInteger();
    assertFails(
        new Spoilt() {
          @Override
          public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
            return puts.incrementAndGet() <= StoreProbe.RACERS
                ? super.putIfAbsent(key, body, metadata)
                : overwrite(key, body, metadata);
          }
        },
        "overwrote");
  }

  @Test
  void failsAStoreThatLosesMetadata() {
    assertFails(
        new Spoilt() {
          @Override
          public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
            return store.putIfAbsent(key, body, Map.of());
          }
        },
        "metadata");
  }

  @Test
  void failsAStoreThatReadsSomethingElseThanWasWritten() {
    assertFails(
        new Spoilt() {
          @Override
          public GetAnswer get(String key) {
            return new Absent();
          }
        },
        "not the one that won");
  }

  @Test
  void failsAStoreThatLetsNobodyWin() {
    assertFails(
        new Spoilt() {
          @Override
          public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
            return new AlreadyThere();
          }
        },
        "none of 16 writers");
  }

  @Test
  void failsAStoreThatFindsWhatWasNeverWritten() {
    assertFails(
        new Spoilt() {
          @Override
          public HeadAnswer head(String key) {
            return new Present(Map.of());
          }
        },
        "nobody has written");
  }

  @Test
  void failsWithTheStoresReasonWhereOnlyAnOperatorCanHelp() {
    assertThat(test(MemoryStore.withoutBucket()))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.why()).contains("no such bucket");
              assertThat(failed.remedy()).isNotEmpty();
            });
  }

  @Test
  void isUnclearWhileTheStoreDoesNotAnswer() {
    Result result =
        test(
            new Spoilt() {
              @Override
              public HeadAnswer head(String key) {
                return new ObjectStore.Unclear("503", true);
              }
            });

    assertThat(result).isEqualTo(new StoreProbe.Unclear("503"));
  }

  /** Each run has keys of its own; whoever repeats the test would else tell the same as news. */
  @Test
  void tellsTheSameProblemInTheSameWords() {
    Spoilt ignorant =
        new Spoilt() {
          @Override
          public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
            return overwrite(key, body, metadata);
          }
        };
    Spoilt silent =
        new Spoilt() {
          @Override
          public HeadAnswer head(String key) {
            return new ObjectStore.Unclear("HEAD of " + key + ": no answer", true);
          }
        };

    assertThat(test(ignorant, UUID.randomUUID())).isEqualTo(test(ignorant, UUID.randomUUID()));
    assertThat(test(silent))
        .isEqualTo(new StoreProbe.Unclear("HEAD of prefix/name/_store_test/*: no answer"));
  }

  @Test
  void isUnclearWhenTheWinnersAnswerIsLost() {
    Result result =
        test(
            new Spoilt() {
              @Override
              public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
                return super.putIfAbsent(key, body, metadata) instanceof Created
                    ? new ObjectStore.Unclear("connection lost", true)
                    : new AlreadyThere();
              }
            });

    assertThat(result).isEqualTo(new StoreProbe.Unclear("connection lost"));
  }

  /** It created the object with the first, and refused the second. */
  @Test
  void isUnclearWhenTheWinnersRequestIsSentTwiceOnTheWay() {
    Result result =
        test(
            new Spoilt() {
              @Override
              public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
                super.putIfAbsent(key, body, metadata);
                return super.putIfAbsent(key, body, metadata);
              }
            });

    assertThat(result)
        .isInstanceOfSatisfying(
            StoreProbe.Unclear.class,
            unclear -> assertThat(unclear.why()).contains("one won and was not told"));
  }

  @Test
  void passesAStoreThatTellsRacersThatTheyAreInConflict() {
    assertThat(test(new Conflicting())).isEqualTo(new Passed());
  }

  @Test
  void isUnclearWhenTheRacersDidNotComeToTheStartTogether() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor(new NamedThreads("one"));
    try {
      assertThat(new StoreProbe(good, "prefix-", one, Duration.ofMillis(10)).run())
          .isInstanceOfSatisfying(
              StoreProbe.Unclear.class,
              unclear -> assertThat(unclear.why()).contains("too busy to race"));
    } finally {
      one.shutdownNow();
    }
  }

  // Documents

  @Test
  void passesAGoodStoreForDocuments() {
    assertThat(testForDocuments(good)).isEqualTo(new Passed());

    assertThat(good.objects()).hasSize(StoreProbe.RACES);
    assertThat(good.objects().values())
        .allMatch(object -> new String(object.bytes(), UTF_8).startsWith("replaced by racer "));
  }

  @Test
  void failsAStoreForDocumentsThatIsNoneForLogs() {
    assertThat(testForDocuments(MemoryStore.withoutBucket())).isInstanceOf(Failed.class);
    assertThat(
            testForDocuments(
                new Replacing() {
                  @Override
                  public PutAnswer putIfAbsent(
                      String key, byte[] body, Map<String, String> metadata) {
                    return overwrite(key, body, metadata);
                  }
                }))
        .isInstanceOfSatisfying(
            Broken.class, broken -> assertThat(broken.promise()).isEqualTo(Promise.CREATION));
  }

  @Test
  void failsAStoreThatIgnoresWhichVersionIsToBeReplaced() {
    assertFailsForDocuments(
        new Replacing() {
          @Override
          public PutAnswer putIfMatch(
              String key, byte[] body, Map<String, String> metadata, String etag) {
            return overwrite(key, body, metadata);
          }
        },
        "told they won");
  }

  @Test
  void failsAStoreThatComparesAndThenReplaces() {
    CountDownLatch lookers = new CountDownLatch(2);
    assertFailsForDocuments(
        new Replacing() {
          @Override
          public PutAnswer putIfMatch(
              String key, byte[] body, Map<String, String> metadata, String etag) {
            if (!(store.fetch(key) instanceof Fetched now) || !now.etag().equals(etag)) {
              return new Changed();
            }
            lookers.countDown();
            try {
              assertThat(lookers.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException interrupted) {
              Thread.currentThread().interrupt();
            }
            return overwrite(key, body, metadata);
          }
        },
        "told they won");
  }

  @Test
  void failsAStoreThatReplacesWhatIsNotThere() {
    assertFailsForDocuments(
        new Replacing() {
          @Override
          public PutAnswer putIfMatch(
              String key, byte[] body, Map<String, String> metadata, String etag) {
            return store.head(key) instanceof Absent
                ? store.putIfAbsent(key, body, metadata)
                : super.putIfMatch(key, body, metadata, etag);
          }
        },
        "not there");
  }

  @Test
  void failsAStoreWhoseReplacementsDoNotStay() {
    assertFailsForDocuments(
        new Replacing() {
          @Override
          public PutAnswer putIfMatch(
              String key, byte[] body, Map<String, String> metadata, String etag) {
            return store.putIfMatch(key, body, Map.of(), etag);
          }
        },
        "metadata");
  }

  @Test
  void isUnclearAboutDocumentsWhileTheStoreDoesNotAnswer() {
    Result result =
        testForDocuments(
            new Replacing() {
              @Override
              public FetchAnswer fetch(String key, LongPredicate mayRead) {
                return new ObjectStore.Unclear("503", true);
              }
            });

    assertThat(result).isEqualTo(new StoreProbe.Unclear("503"));
  }

  private Result testForDocuments(DocumentStore store) {
    return StoreProbe.runForDocuments(store, "prefix/name/", RUN, threads);
  }

  private void assertFailsForDocuments(DocumentStore store, String why) {
    assertThat(testForDocuments(store))
        .isInstanceOfSatisfying(
            Broken.class,
            broken -> {
              assertThat(broken.why()).contains(why);
              assertThat(broken.promise()).isEqualTo(Promise.REPLACEMENT);
            });
  }

  private Result test(ObjectStore store) {
    return test(store, RUN);
  }

  private Result test(ObjectStore store, UUID run) {
    return StoreProbe.run(store, "prefix/name/", run, threads);
  }

  private void assertFails(ObjectStore store, String why) {
    assertThat(test(store))
        .isInstanceOfSatisfying(
            Broken.class,
            broken -> {
              assertThat(broken.why()).contains(why);
              assertThat(broken.remedy()).isNotEmpty();
              assertThat(broken.promise()).isEqualTo(Promise.CREATION);
            });
  }

  /** A good store, of which a test overrides what it wants broken. */
  private static class Spoilt implements ObjectStore {
    final MemoryStore store = new MemoryStore();

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      return store.putIfAbsent(key, body, metadata);
    }

    @Override
    public HeadAnswer head(String key) {
      return store.head(key);
    }

    @Override
    public GetAnswer get(String key) {
      return store.get(key);
    }

    final PutAnswer overwrite(String key, byte[] body, Map<String, String> metadata) {
      store.delete(key);
      store.putIfAbsent(key, body, metadata);
      return new Created();
    }
  }

  /** A good store for documents, of which a test overrides what it wants broken. */
  private static class Replacing extends Spoilt implements DocumentStore {
    @Override
    public FetchAnswer fetch(String key, LongPredicate mayRead) {
      return store.fetch(key, mayRead);
    }

    @Override
    public PutAnswer putIfMatch(
        String key, byte[] body, Map<String, String> metadata, String etag) {
      return store.putIfMatch(key, body, metadata, etag);
    }
  }

  /** Looks first and then writes; the gap is as wide as it takes a second writer to look, too. */
  private static final class Racing extends Spoilt {
    private final CountDownLatch lookers = new CountDownLatch(2);

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      if (store.head(key) instanceof Present) {
        return new AlreadyThere();
      }
      lookers.countDown();
      try {
        assertThat(lookers.await(1, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return overwrite(key, body, metadata);
    }
  }

  /** Tells those who lose a race that another write is under way, as S3 may. */
  private static final class Conflicting extends Spoilt {
    private final Map<String, AtomicInteger> puts = new ConcurrentHashMap<>();

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      PutAnswer answer = super.putIfAbsent(key, body, metadata);
      int put = puts.computeIfAbsent(key, first -> new AtomicInteger()).incrementAndGet();
      boolean lostTheRace = answer instanceof AlreadyThere && put <= StoreProbe.RACERS;
      return lostTheRace ? new ObjectStore.Unclear("409", true) : answer;
    }
  }
}
